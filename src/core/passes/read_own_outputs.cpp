#include "passes/read_own_outputs.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "graph/value_cost.h"
#include "link/model/varying_index.h"
#include "link/values/evaluated_reads.h"
#include "link/values/float_environment.h"
#include "link/values/kept_rounding.h"
#include "link/values/producer_values.h"
#include "link/values/stored_alike.h"
#include "spirv/ir/any_instruction.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/pointer_path.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::passes {
namespace {

using link::LinkedStage;
using link::SlotStores;
using varyings::PointerAccess;
using varyings::Slot;
using varyings::Varying;

using Bits = std::vector<std::uint32_t>;

// The scalar outputs that the stage loads by plain loads, with what is stored to them.
std::vector<const SlotStores*> loaded_outputs(const LinkedStage& stage, const link::StoreTable& table) {
  std::vector<const SlotStores*> loaded;
  const spirv::Uses uses(stage.module);
  for (const Varying& output : stage.outputs) {
    const SlotStores* stores = table.find(output.slot);
    if (!stores || !stores->read_back) continue;
    const varyings::VariableAccesses accesses = varyings::accesses_of(stage.module, uses, output.variable);
    const bool is_plain = !accesses.obstacle && std::all_of(accesses.accesses.begin(), accesses.accesses.end(),
                                                            [&](const PointerAccess& access) {
                                                              return varyings::is_plain_access(stage.module, access);
                                                            });
    if (is_plain) loaded.push_back(stores);
  }
  return loaded;
}

// The constant that all loads give; none if they differ or are computed.
std::optional<Bits> known_bits(const SlotStores& stores) {
  if (link::stores_nothing_defined(stores)) return Bits(stores.output->scalar.width == 64 ? 2 : 1, 0);
  return link::common_constant(stores);
}

bool load_constants(LinkedStage& stage, PassContext& context) {
  if (link::states_float_environment(stage)) return false;
  const link::StoreTable table(stage);
  std::vector<std::pair<const Varying*, Bits>> known;
  for (const SlotStores* stores : loaded_outputs(stage, table))
    if (const auto bits = known_bits(*stores); bits && context.spend_fuel()) known.emplace_back(stores->output, *bits);
  for (const auto& [output, bits] : known) link::replace_loads(stage, *output, bits);
  return !known.empty();
}

// Made of constants and of inputs of the draw only, and no costlier than a uniform expression that a stage evaluates
// for a component.
bool is_cheap_uniform(const graph::ValueGraph& graph, graph::ValueId value, const PassContext& context, Stage stage) {
  const analysis::CostProfile& profile = context.options().profile;
  return graph.is_uniform(value) &&
         graph::cost_of(profile, graph, parts_of(graph, {value})) <= graph::uniform_cost_limit(profile, stage);
}

Result<bool> evaluate_uniforms(LinkedStage& stage, PassContext& context) {
  const link::StoreTable table(stage);
  const std::vector<const SlotStores*> loaded = loaded_outputs(stage, table);
  if (loaded.empty()) return false;
  graph::ValueGraph graph;
  const link::ProducerValues producer(stage, graph);
  std::map<spirv::Id, graph::ValueId> values;
  for (const SlotStores* stores : loaded) {
    const auto value = producer.own_value(stores->output->slot);
    if (value && is_cheap_uniform(graph, *value, context, stage.stage) && context.spend_fuel())
      values.emplace(stores->output->variable, *value);
  }
  if (values.empty()) return false;
  const std::vector<bool> keeps_rounding = link::keeps_rounding(stage, false, context.options().moves_discontinuous());
  if (!link::evaluate_reads(stage, graph, values, keeps_rounding)) return graph::incomplete_value(stage.file);
  return true;
}

// Which outputs hold the same, and which of them the next stage declares.
class OwnDuplicates {
 public:
  OwnDuplicates(const link::Link& link, const LinkedStage& stage)
      : declared_(link), stage_(stage), alike_(stage), uses_(stage.module), places_(spirv::places_of(stage.module)) {}

  // Output whose loads become loads of the other one.
  std::vector<std::pair<const Varying*, const Varying*>> run() const {
    using Key = std::tuple<std::vector<link::PlacedStore>, varyings::ScalarType, bool, bool>;
    std::map<Key, std::vector<const Varying*>> groups;
    for (const Varying& output : stage_.outputs) {
      const auto stores = alike_.stores_of(output.slot);
      if (stores && !stores->empty())
        groups[{*stores, output.scalar, output.patch, output.relaxed_precision}].push_back(&output);
    }
    std::vector<std::pair<const Varying*, const Varying*>> plan;
    std::set<const Varying*> loaded;
    for (const SlotStores* stores : loaded_outputs(stage_, alike_.table())) loaded.insert(stores->output);
    for (const auto& [key, outputs] : groups) {
      const auto first = std::find_if(outputs.begin(), outputs.end(),
                                      [&](const Varying* output) { return is_declared_by_a_consumer(*output); });
      const Varying* kept = first == outputs.end() ? outputs.front() : *first;
      for (const Varying* gone : outputs)
        if (gone != kept && loaded.count(gone) != 0 &&
            !is_loaded_between(*alike_.table().find(gone->slot), *alike_.table().find(kept->slot)))
          plan.emplace_back(gone, kept);
    }
    return plan;
  }

 private:
  bool is_declared_by_a_consumer(const Varying& output) const {
    return std::any_of(declared_.consumers.begin(), declared_.consumers.end(),
                       [&](const link::VaryingIndex& consumer) { return consumer.find(output.slot) != nullptr; });
  }

  // Some load stands where one of the two has been stored and the other has not yet.
  bool is_loaded_between(const SlotStores& gone, const SlotStores& kept) const {
    const varyings::VariableAccesses accesses = varyings::accesses_of(stage_.module, uses_, gone.output->variable);
    for (std::size_t i = 0; i < gone.stores.size(); ++i)
      if (varyings::is_read_between(accesses, places_, gone.stores[i].inst, kept.stores[i].inst)) return true;
    return false;
  }

  const link::VaryingIndices declared_;
  const LinkedStage& stage_;
  link::StoredAlike alike_;
  spirv::Uses uses_;
  std::vector<spirv::Place> places_;  // by instruction
};

void load_from(LinkedStage& stage, const Varying& gone, const Varying& kept) {
  spirv::Module& module = stage.module;
  spirv::Globals globals(module);
  spirv::Emitter emitter(module, globals);
  spirv::CodeEdit edit;
  for (const PointerAccess& access : varyings::accesses_of(module, spirv::Uses(module), gone.variable).accesses) {
    if (access.kind == PointerAccess::Kind::store) continue;
    emitter.write_to(edit.before(access.inst));
    const spirv::Id pointer =
        emitter.chain(spv::StorageClass::Output, module[access.inst].type, kept.variable, access.indices);
    module.set_operand(access.inst, 0, spirv::id(pointer));
  }
  edit.apply(module, stage.entry.function);
}

bool load_one_of_duplicates(const link::Link& link, LinkedStage& stage, PassContext& context) {
  bool changed = false;
  for (const auto& [gone, kept] : OwnDuplicates(link, stage).run()) {
    if (!context.spend_fuel()) continue;
    load_from(stage, *gone, *kept);
    changed = true;
  }
  return changed;
}

// Any of its outputs; few stages do, which is known without a table of all stores.
bool loads_outputs(const LinkedStage& stage) {
  const spirv::Module& module = stage.module;
  const auto loads_output = [&](spirv::InstRef inst) {
    return module[inst].op == spv::Op::OpLoad &&
           spirv::is_variable_in(module, spirv::root_of(module, module.operand(inst, 0).word),
                                 spv::StorageClass::Output);
  };
  return spirv::any_instruction(module, loads_output);
}

}  // namespace

Result<Progress> read_own_outputs(link::Link& link, PassContext& context) {
  bool changed = false;
  for (LinkedStage* stage : link.producers) {
    if (!loads_outputs(*stage)) continue;
    changed = load_constants(*stage, context) || changed;
    if (stage->stage != Stage::tess_control) continue;
    Result<bool> evaluated = evaluate_uniforms(*stage, context);
    if (!evaluated) return evaluated.error();
    changed = *evaluated || changed;
    changed = load_one_of_duplicates(link, *stage, context) || changed;
  }
  return changed ? Progress::producer : Progress::none;
}

}  // namespace varylink::passes
