#include "passes/tabulate_constants.h"

#include <algorithm>
#include <map>

#include "base/seeded_fault.h"
#include "link/values/array_constants.h"
#include "link/values/float_environment.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::passes {
namespace {

using link::LinkedStage;
using link::ScalarArray;
using link::ScalarConstants;
using spirv::Id;
using spirv::Module;
using varyings::Direction;
using varyings::PointerAccess;
using varyings::Varying;

// The loads of an array, with what is needed to read a table instead.
struct Loads {
  ScalarArray shape;
  std::vector<PointerAccess> loads;
};

// None if the stage reaches the array in some other way than by loads and stores, or so that no table could serve.
std::optional<Loads> loads_of(const LinkedStage& stage, Direction direction, const Varying& array) {
  const Module& module = stage.module;
  const auto shape = link::scalar_array(stage, direction, array);
  const varyings::VariableAccesses accesses = varyings::accesses_of(module, spirv::Uses(module), array.variable);
  if (!shape || accesses.obstacle) return std::nullopt;
  Loads found{*shape, {}};
  const std::vector<spirv::Place> places = spirv::places_of(module);
  for (const PointerAccess& access : accesses.accesses) {
    if (access.kind == PointerAccess::Kind::store) continue;
    // The table is local to the entry point.
    const bool is_in_entry = module.functions[places[access.inst.index].function].result == stage.entry.function;
    if (!is_in_entry || !varyings::is_plain_access(module, access)) return std::nullopt;
    if (!link::reach_of(module, *shape, access.indices)) return std::nullopt;
    found.loads.push_back(access);
  }
  return found;
}

// Elements that nobody stores get what all others have, if that is one value, so that no table is needed for it.
void fill_gaps(ScalarConstants& constants, std::uint32_t size) {
  for (std::uint32_t c = 0; c < size; ++c) {
    std::optional<std::vector<std::uint32_t>> one;
    bool agree = true;
    for (std::size_t i = c; i < constants.size(); i += size) {
      if (!constants[i]) continue;
      agree = agree && (!one || *one == *constants[i]);
      one = constants[i];
    }
    if (!agree || !one) continue;
    for (std::size_t i = c; i < constants.size(); i += size) constants[i] = one;
  }
}

// Makes loads of an array loads of a local table.
class TableReader {
 public:
  TableReader(LinkedStage& stage, const Loads& loads, const ScalarConstants& constants)
      : stage_(stage),
        module_(stage.module),
        loads_(loads),
        constants_(constants),
        globals_(module_),
        emitter_(module_, globals_) {}

  void run() {
    for (const PointerAccess& load : loads_.loads) {
      edit_.replace(module_[load.inst].result, value_of(load));
      edit_.remove(load.inst);
    }
    edit_.apply(module_, stage_.entry.function);
    module_.sweep();
  }

 private:
  Id value_of(const PointerAccess& load) {
    const link::Reach reach = *link::reach_of(module_, loads_.shape, load.indices);
    if (is_one_value(reach)) {
      const Id constant = link::constant_at(module_, globals_, reach.type, constants_, reach.firsts.front());
      emitter_.write_to(edit_.before(load.inst));
      return emitter_.emit(spv::Op::OpCopyObject, reach.type, {spirv::id(constant)});
    }
    const auto indices = std::span(load.indices).subspan(loads_.shape.is_per_vertex ? 1 : 0);
    const Id variable = table();
    emitter_.write_to(edit_.before(load.inst));
    return emitter_.load(reach.type, emitter_.chain(spv::StorageClass::Function, reach.type, variable, indices));
  }

  // Whatever the indices mean is the same.
  bool is_one_value(const link::Reach& reach) const {
    if (reach.firsts.size() == 1 || seeded_fault("table-is-its-first-element")) return true;
    const auto place = [&](std::uint32_t first) { return constants_.begin() + std::ptrdiff_t{first}; };
    const auto begin = place(reach.firsts.front()), end = begin + std::ptrdiff_t{reach.scalars};
    return std::all_of(reach.firsts.begin(), reach.firsts.end(),
                       [&](std::uint32_t first) { return std::equal(begin, end, place(first)); });
  }

  // With its constant as initializer, so that drivers can keep it in constant memory (rule ).
  Id table() {
    if (table_ != 0) return table_;
    constexpr auto kLocal = spv::StorageClass::Function;
    const Id value = link::constant_at(module_, globals_, loads_.shape.type, constants_, 0);
    emitter_.write_to(edit_.locals());
    table_ = emitter_.emit(spv::Op::OpVariable, globals_.pointer_type(kLocal, loads_.shape.type),
                           {spirv::lit(static_cast<std::uint32_t>(kLocal)), spirv::id(value)});
    return table_;
  }

  LinkedStage& stage_;
  Module& module_;
  const Loads& loads_;
  const ScalarConstants& constants_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  spirv::CodeEdit edit_;
  Id table_ = 0;
};

// Everything about one array, as long as nothing is edited.
struct Table {
  ScalarConstants constants;
  std::vector<std::pair<LinkedStage*, Loads>> read_back;  // by producers that declare the array
  std::vector<std::pair<LinkedStage*, Loads>> read;       // by consumers that declare it
};

std::uint32_t element_size(const Module& module, const ScalarArray& shape) {
  return shape.scalars / std::max(spirv::element_count(module, shape.type), 1u);
}

// The loads of those stages that declare the array. False if one of them declares or reaches it in another way.
bool add_loads(const std::vector<LinkedStage*>& stages, Direction direction, const Varying& array,
               std::vector<std::pair<LinkedStage*, Loads>>& found) {
  for (LinkedStage* stage : stages) {
    const Varying* varying =
        link::find_varying(direction == Direction::output ? stage->outputs : stage->inputs, array.slot);
    if (!varying) continue;
    if (varying->form != Varying::Form::unsplit || varying->slots != array.slots) return false;
    auto loads = loads_of(*stage, direction, *varying);
    if (!loads || (!found.empty() && found.front().second.shape.scalars != loads->shape.scalars)) return false;
    found.emplace_back(stage, std::move(*loads));
  }
  return true;
}

bool has_loads(const std::vector<std::pair<LinkedStage*, Loads>>& stages) {
  return std::any_of(stages.begin(), stages.end(), [](const auto& entry) { return !entry.second.loads.empty(); });
}

// The one constant that all producers give to each scalar; what one of them never stores is what the others do.
std::optional<ScalarConstants> common_constants(const Table& table, const Varying& array) {
  std::optional<ScalarConstants> common;
  for (const auto& [producer, loads] : table.read_back) {
    auto constants = link::constants_of_array(*producer, *link::find_varying(producer->outputs, array.slot));
    if (!constants) return std::nullopt;
    if (!common) common.emplace(constants->size());
    for (std::size_t i = 0; i < constants->size(); ++i) {
      auto &known = (*common)[i], &stored = (*constants)[i];
      if (known && stored && *known != *stored) return std::nullopt;
      if (!known) known = std::move(stored);
    }
  }
  return common;
}

std::optional<Table> plan_table(const link::Link& link, const Varying& array) {
  if (array.form != Varying::Form::unsplit || link::is_last_sample_input(link, array.slot)) return std::nullopt;
  Table table;
  if (!add_loads(link.producers, Direction::output, array, table.read_back) ||
      !add_loads(link.consumers, Direction::input, array, table.read))
    return std::nullopt;
  const Loads& first = table.read_back.front().second;
  if (!table.read.empty() && table.read.front().second.shape.scalars != first.shape.scalars) return std::nullopt;
  if (!has_loads(table.read_back) && !has_loads(table.read)) return std::nullopt;
  auto constants = common_constants(table, array);
  if (!constants) return std::nullopt;
  table.constants = std::move(*constants);
  fill_gaps(table.constants, element_size(table.read_back.front().first->module, first.shape));
  return table;
}

// Of all producers, each array once.
std::vector<Varying> outputs_of(const link::Link& link) {
  std::vector<Varying> outputs;
  for (const LinkedStage* producer : link.producers)
    for (const Varying& output : producer->outputs)
      if (output.form == Varying::Form::unsplit && !link::find_varying(outputs, output.slot)) outputs.push_back(output);
  return outputs;
}

bool states_float_environment(const std::vector<LinkedStage*>& stages) {
  return std::any_of(stages.begin(), stages.end(),
                     [](const LinkedStage* stage) { return link::states_float_environment(*stage); });
}

// Puts the table in place of the array.
Progress apply(link::Link& link, const Table& table, varyings::Slot slot) {
  Progress progress = Progress::none;
  for (const auto& [producer, loads] : table.read_back) {
    if (loads.loads.empty()) continue;
    TableReader(*producer, loads, table.constants).run();
    progress = progress | Progress::producer;
  }
  for (const auto& [consumer, loads] : table.read) {
    TableReader(*consumer, loads, table.constants).run();
    link::remove_input(*consumer, slot);
    progress = progress | Progress::consumer;
  }
  if (table.read.empty()) return progress;
  for (const auto& [producer, loads] : table.read_back) {
    const Varying output = *link::find_varying(producer->outputs, slot);
    link.record_fate(output, link::Fate::constant, "every store writes the same constant");
    if (output.captured) continue;
    link::remove_output(*producer, slot);
    progress = progress | Progress::producer;
  }
  return progress;
}

}  // namespace

Result<Progress> tabulate_constants(link::Link& link, PassContext& context) {
  if (!link.closed || link.consumers.empty()) return Progress::none;
  if (states_float_environment(link.producers) || states_float_environment(link.consumers)) return Progress::none;
  Progress progress = Progress::none;
  for (const Varying& array : outputs_of(link))
    if (const auto table = plan_table(link, array); table && context.spend_fuel())
      progress = progress | apply(link, *table, array.slot);
  return progress;
}

}  // namespace varylink::passes
