#include "driver/check_group.h"

#include "link/conformance/contract_check.h"
#include "link/conformance/contract_facts.h"
#include "link/conformance/pair_check.h"
#include "spirv/tools/binary.h"

namespace varylink::driver {

const Result<ResultChecker::Both>& ResultChecker::both(std::size_t module) {
  if (const auto known = modules_.find(module); known != modules_.end()) return known->second;
  return modules_.emplace(module, read(records_[module])).first->second;
}

// What is checked is what the words say, not the module that they were written from.
Result<ResultChecker::Both> ResultChecker::read(const ModuleRecord& record) {
  const link::LinkedStage& stage = record.stage;
  Both both;
  both.written = stage.original_module;
  if (record.result != stage.original) {
    Result<spirv::Module> module = spirv::read_module(record.result, stage.file);
    if (!module) return module.error();
    both.written = std::make_shared<const spirv::Module>(std::move(*module));
  }
  for (const auto& [module, view] :
       {std::pair(&*stage.original_module, &both.original), {&*both.written, &both.result}}) {
    Result<link::StageView> found = link::view_of(*module, stage.stage, stage.entry.name, stage.file);
    if (!found) return found.error();
    *view = std::move(*found);
  }
  return both;
}

const Diagnostics& ResultChecker::contract_of(const Role& role) {
  const auto [entry, is_new] = contracts_.try_emplace(role);
  if (!is_new) return entry->second;
  link::ContractOptions contract;
  contract.strip_unused_resources = options_.strip_unused_resources;
  contract.strip_unused_attributes = options_.strip_unused_attributes;
  contract.layout = options_.layout ? &*options_.layout : nullptr;
  contract.last_pre_rasterization = role.last_pre_rasterization;
  contract.shared_spec_constants = role.shared_spec_constants;
  const Both& stage = *both(role.module);
  return entry->second = link::check_contract(stage.original, stage.result, contract);
}

const Diagnostics& ResultChecker::pair(std::size_t producer, std::size_t consumer) {
  const auto [entry, is_new] = pairs_.try_emplace({producer, consumer});
  if (!is_new) return entry->second;
  const Both& a = *both(producer);
  const Both& b = *both(consumer);
  const link::PairOriginals originals{a.original, b.original};
  if (records_[producer].stage.stage == Stage::task)
    return entry->second = link::check_payload(a.result, b.result, &originals);
  return entry->second = link::check_pair(a.result, b.result, &originals);
}

Diagnostics ResultChecker::check(const std::vector<std::size_t>& modules) {
  for (const std::size_t module : modules)
    if (!both(module)) return {both(module).error()};
  link::Facts constants;
  for (const std::size_t module : modules) {
    const link::Facts own = link::specialization_constants(both(module)->original);
    constants.insert(constants.end(), own.begin(), own.end());
  }
  Diagnostics found;
  const auto add = [&](const Diagnostics& more) { found.insert(found.end(), more.begin(), more.end()); };
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const bool at_end = i + 1 == modules.size();
    const bool last = at_end || records_[modules[i + 1]].stage.stage == Stage::fragment;
    Role role{modules[i], last && records_[modules[i]].stage.stage != Stage::fragment, {}};
    if (records_[modules[i]].stage.state.shared_spec_constants) role.shared_spec_constants = constants;
    add(contract_of(role));
    if (!at_end) add(pair(modules[i], modules[i + 1]));
  }
  return found;
}

}  // namespace varylink::driver
