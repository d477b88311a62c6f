#include "driver/check_group.h"

#include <algorithm>

#include "check/check.h"
#include "driver/interface_records.h"
#include "driver/open_stage.h"
#include "link/rules/contract_check.h"
#include "link/rules/contract_facts.h"
#include "link/rules/pair_check.h"

namespace varylink::driver {

const Result<ResultChecker::Both>& ResultChecker::both(std::size_t module) {
  if (const auto known = modules_.find(module); known != modules_.end()) return known->second;
  return modules_.emplace(module, read(records_[module])).first->second;
}

// The checks read the words, not the module that they were written from.
Result<ResultChecker::Both> ResultChecker::read(const ModuleRecord& record) {
  const link::LinkedStage& stage = record.stage;
  Both both;
  both.written = stage.original_module;
  if (record.result != stage.original) {
    Result<spirv::Module> module = read_result(stage.module, record.result, stage.file);
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

namespace {

std::ptrdiff_t count(const std::vector<check::Issue>& issues, check::Rule rule) {
  return std::count_if(issues.begin(), issues.end(), [&](const check::Issue& issue) { return issue.rule == rule; });
}

// The rules that a result breaks more often than what came in (rule ).
Diagnostics newly_broken(const std::vector<check::Issue>& before, std::vector<check::Issue> after) {
  Diagnostics found;
  for (check::Issue& issue : after) {
    if (count(after, issue.rule) <= count(before, issue.rule)) continue;
    issue.diagnostic.kind = ErrorKind::verification_failed;
    found.push_back(issue.diagnostic);
  }
  return found;
}

}  // namespace

link::InterfaceSize ResultChecker::outputs_of(std::size_t module) {
  const Result<Both>& stage = both(module);
  return stage ? size_of_outputs(*stage->written, stage->result.entry) : link::InterfaceSize();
}

const Diagnostics& ResultChecker::contract_of(const Role& role) {
  const auto [entry, is_new] = contracts_.try_emplace(role);
  if (!is_new) return entry->second;
  link::ContractOptions contract;
  contract.strip_unused_resources = options_.strip_unused_resources;
  contract.strip_unused_attributes = options_.strip_unused_attributes;
  contract.one_variable_each = options_.portable;
  contract.layout = options_.layout ? &*options_.layout : nullptr;
  contract.last_pre_rasterization = role.last_pre_rasterization;
  contract.shared_spec_constants = role.shared_spec_constants;
  const Both& stage = *both(role.module);
  return entry->second = link::check_contract(stage.original, stage.result, contract);
}

const Diagnostics& ResultChecker::rules_of(std::size_t module) {
  const auto [entry, is_new] = broken_rules_.try_emplace(module);
  if (!is_new || records_[module].result == records_[module].stage.original) return entry->second;
  const Both& stage = *both(module);
  std::vector<check::Issue> after = check::broken_rules_of(stage.result);
  if (after.empty()) return entry->second;
  return entry->second = newly_broken(check::broken_rules_of(stage.original), std::move(after));
}

Diagnostics ResultChecker::rules_among(const std::vector<std::size_t>& modules) {
  std::vector<link::StageView> before, after;
  for (const std::size_t module : modules) {
    before.push_back(both(module)->original);
    after.push_back(both(module)->result);
  }
  std::vector<check::Issue> found = check::broken_rules_among(after);
  return found.empty() ? Diagnostics{} : newly_broken(check::broken_rules_among(before), std::move(found));
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
    add(rules_of(modules[i]));
    if (!at_end) add(pair(modules[i], modules[i + 1]));
  }
  add(rules_among(modules));
  return found;
}

}  // namespace varylink::driver
