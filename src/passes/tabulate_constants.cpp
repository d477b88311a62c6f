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
  Loads read_back;            // by the producer
  std::optional<Loads> read;  // by the consumer, if it declares the array
};

std::uint32_t element_size(const Module& module, const ScalarArray& shape) {
  return shape.scalars / std::max(spirv::element_count(module, shape.type), 1u);
}

std::optional<Table> plan_table(const link::Link& link, const Varying& output) {
  if (output.form != Varying::Form::unsplit) return std::nullopt;
  const LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  const auto read_back = loads_of(producer, Direction::output, output);
  if (!read_back) return std::nullopt;
  std::optional<Loads> read;
  if (const Varying* input = link::find_varying(consumer.inputs, output.slot)) {
    if (input->form != Varying::Form::unsplit || input->slots != output.slots) return std::nullopt;
    if (link::is_last_sample_input(consumer, input->slot)) return std::nullopt;
    read = loads_of(consumer, Direction::input, *input);
    if (!read || read->shape.scalars != read_back->shape.scalars) return std::nullopt;
  }
  if (read_back->loads.empty() && (!read || read->loads.empty())) return std::nullopt;
  auto constants = link::constants_of_array(producer, output);
  if (!constants) return std::nullopt;
  fill_gaps(*constants, element_size(producer.module, read_back->shape));
  return Table{std::move(*constants), *read_back, std::move(read)};
}

}  // namespace

Result<Progress> tabulate_constants(link::Link& link, PassContext& context) {
  if (!link.closed || link.is_shared() || link.consumers.empty()) return Progress::none;
  LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  if (link::states_float_environment(consumer) || link::states_float_environment(producer)) return Progress::none;
  Progress progress = Progress::none;
  const std::vector<Varying> outputs = producer.outputs;
  for (const Varying& output : outputs) {
    const std::optional<Table> table = plan_table(link, output);
    if (!table || !context.spend_fuel()) continue;
    if (!table->read_back.loads.empty()) {
      TableReader(producer, table->read_back, table->constants).run();
      progress = progress | Progress::producer;
    }
    if (!table->read) continue;
    TableReader(consumer, *table->read, table->constants).run();
    link::remove_input(consumer, output.slot);
    progress = progress | Progress::consumer;
    link.record_fate(output, link::Fate::constant, "every store writes the same constant");
    if (output.captured) continue;
    link::remove_output(producer, output.slot);
    progress = Progress::both;
  }
  return progress;
}

}  // namespace varylink::passes
