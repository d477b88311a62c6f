#include "passes/whole_constants.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <map>

#include "io/code_edit.h"
#include "io/emitter.h"
#include "io/pointer_access.h"
#include "link/slot_values.h"
#include "passes/float_environment.h"

namespace varylink::passes {
namespace {

using io::PointerAccess;
using io::Slot;
using io::Varying;
using link::find_varying;
using link::LinkedStage;
using spirv::Id;
using spirv::Module;

using Bits = std::vector<std::uint32_t>;
using Constants = std::vector<std::optional<Bits>>;  // by component; none where nothing was stored yet

// Adds what a store gives to component `index`; false if it is not the one constant.
bool add(Constants& constants, std::size_t index, const link::ScalarValue& value) {
  if (value.kind == link::ScalarValue::Kind::undefined) return true;
  if (value.kind != link::ScalarValue::Kind::constant) return false;
  if (constants[index] && *constants[index] != value.bits) return false;
  constants[index] = value.bits;
  return true;
}

// Adds everything that a stage stores to its output; false if something is not the one constant.
bool add_stores(Constants& constants, const LinkedStage& stage, const Varying& output) {
  const Module& module = stage.module;
  const auto count = static_cast<std::uint32_t>(constants.size());
  const io::VariableAccesses accesses = io::accesses_of(module, spirv::Uses(module), output.variable);
  const bool initialized = module.operands(module.def(output.variable)).size() > 1;
  if (accesses.obstacle || initialized || output.captured || output.form != Varying::Form::whole) return false;
  if (spirv::component_count(module, spirv::pointee_type(module, module.type_of(output.variable))) != count)
    return false;
  for (const PointerAccess& access : accesses.accesses) {
    if (access.kind != PointerAccess::Kind::store) return false;
    const Id value = module.operand(access.inst, 1).word;
    if (access.indices.empty()) {
      for (std::uint32_t c = 0; c < count; ++c)
        if (!add(constants, c, link::component_value(module, value, c, count))) return false;
      continue;
    }
    const auto index = io::constant_int(module, access.indices.back());
    if (!index || *index < 0 || *index >= count) return false;
    if (!add(constants, static_cast<std::size_t>(*index), link::scalar_value(module, value))) return false;
  }
  return true;
}

std::uint32_t width_of(const LinkedStage& consumer, const Varying& input) {
  const Module& module = consumer.module;
  return spirv::component_count(module, spirv::pointee_type(module, module.type_of(input.variable)));
}

// Drivers extrapolate from the middle of the pixel: what they make of a constant can differ from it by a few percent
// (lavapipe), more than any other way to read one.
bool is_read_at_offset(const LinkedStage& consumer, const Varying& input) {
  const Module& module = consumer.module;
  const io::VariableAccesses accesses = io::accesses_of(module, spirv::Uses(module), input.variable);
  return std::any_of(accesses.accesses.begin(), accesses.accesses.end(), [&](const PointerAccess& access) {
    return access.kind == PointerAccess::Kind::interpolate &&
           module.operand(access.inst, 1).word == GLSLstd450InterpolateAtOffset;
  });
}

bool may_be_replaced(const link::Link& link, Slot slot, std::uint32_t width) {
  return std::all_of(link.consumers.begin(), link.consumers.end(), [&](const LinkedStage* consumer) {
    const Varying* input = find_varying(consumer->inputs, slot);
    return !input || (input->form == Varying::Form::whole && !input->interpolation.per_vertex &&
                      width_of(*consumer, *input) == width && !is_read_at_offset(*consumer, *input) &&
                      !states_float_environment(*consumer));
  });
}

std::optional<Constants> constants_at(const link::Link& link, Slot slot, std::uint32_t width) {
  if (width == 0 || !may_be_replaced(link, slot, width)) return std::nullopt;
  Constants constants(width);
  for (const LinkedStage* producer : link.producers)
    if (const Varying* output = find_varying(producer->outputs, slot);
        output && !add_stores(constants, *producer, *output))
      return std::nullopt;
  const bool all = std::all_of(constants.begin(), constants.end(), [](const auto& one) { return one.has_value(); });
  return all ? std::optional(constants) : std::nullopt;
}

void replace(LinkedStage& consumer, Slot slot, const Constants& constants) {
  Module& module = consumer.module;
  const Id variable = find_varying(consumer.inputs, slot)->variable;
  const Id type = spirv::pointee_type(module, module.type_of(variable));
  const Id scalar = constants.size() == 1 ? type : spirv::element_type(module, type);
  spirv::Globals globals(module);
  io::Emitter emitter(module, globals);
  io::CodeEdit edit;
  for (const PointerAccess& access : io::accesses_of(module, spirv::Uses(module), variable).accesses) {
    emitter.write_to(edit.before(access.inst));
    std::vector<Id> parts;
    for (const auto& bits : constants) parts.push_back(globals.scalar_constant(scalar, *bits));
    Id value = parts.size() == 1 ? parts.front() : emitter.construct(type, parts);
    if (!access.indices.empty())
      value =
          emitter.emit(spv::Op::OpVectorExtractDynamic, scalar, {spirv::id(value), spirv::id(access.indices.back())});
    edit.replace(module[access.inst].result, value);
    edit.remove(access.inst);
  }
  edit.apply(module, consumer.entry);
  module.sweep();
  link::remove_input(consumer, slot);
}

}  // namespace

Progress propagate_whole_constants(link::Link& link, PassContext& context) {
  std::map<Slot, Constants> plan;
  for (const LinkedStage* consumer : link.consumers)
    for (const Varying& input : consumer->inputs)
      if (input.form == Varying::Form::whole)
        if (const auto constants = constants_at(link, input.slot, width_of(*consumer, input)))
          plan[input.slot] = *constants;
  Progress progress = Progress::none;
  for (const auto& [slot, constants] : plan) {
    if (is_last_sample_input(link, slot) || !context.spend_fuel()) continue;
    for (LinkedStage* consumer : link.consumers)
      if (find_varying(consumer->inputs, slot)) replace(*consumer, slot, constants);
    progress = progress | Progress::consumer;
    for (LinkedStage* producer : link.producers) {
      const Varying* output = find_varying(producer->outputs, slot);
      if (!output) continue;
      link.settle(*output, link::Fate::constant, "every store writes the same constant");
      remove_output(*producer, slot);
      progress = Progress::both;
    }
  }
  return progress;
}

}  // namespace varylink::passes
