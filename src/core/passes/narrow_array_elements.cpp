#include "passes/narrow_array_elements.h"

#include <algorithm>

#include "base/seeded_fault.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/scalar_view.h"
#include "varyings/reflect/interface_variable.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/vectorize/array_elements.h"

namespace varylink::passes {
namespace {

using link::find_varying;
using link::LinkedStage;
using spirv::Id;
using spirv::Module;
using varyings::PointerAccess;
using varyings::Varying;

using Mask = std::uint32_t;

// The declaration of an array of vectors: how many array levels lie above the vector.
struct ArrayShape {
  std::size_t levels = 0;
  Id vector = 0;
};

std::optional<ArrayShape> array_shape(const Module& module, Id variable) {
  ArrayShape shape;
  Id type = spirv::pointee_type(module, module.type_of(variable));
  for (; module.def_op(type) == spv::Op::OpTypeArray; type = spirv::element_type(module, type)) {
    if (spirv::element_count(module, type) == 0) return std::nullopt;
    ++shape.levels;
  }
  shape.vector = type;
  const bool fits = shape.levels != 0 && module.def_op(type) == spv::Op::OpTypeVector;
  return fits ? std::optional(shape) : std::nullopt;
}

// How one stage uses the array; `read` is what it reads, none if it cannot be narrowed.
std::optional<Mask> read_mask(const LinkedStage& stage, const spirv::Uses& uses, const Varying& varying) {
  const Module& module = stage.module;
  const auto shape = array_shape(module, varying.variable);
  const varyings::VariableAccesses accesses = varyings::accesses_of(module, uses, varying.variable);
  if (!shape || accesses.obstacle || varying.captured || varying.scalar.width == 64) return std::nullopt;
  if (varyings::is_storage_only(module, varying.scalar)) return std::nullopt;
  Mask mask = 0;
  for (const PointerAccess& access : accesses.accesses) {
    if (access.kind == PointerAccess::Kind::interpolate || access.indices.size() < shape->levels) return std::nullopt;
    const bool is_component = access.indices.size() > shape->levels;
    const auto component = is_component ? spirv::constant_int(module, access.indices.back()) : std::nullopt;
    if (is_component && (!component || *component < 0 || *component > 3)) return std::nullopt;
    if (access.kind != PointerAccess::Kind::load) continue;
    mask |= is_component ? Mask{1} << *component : spirv::read_scalars(module, uses, module[access.inst].result);
  }
  return seeded_fault("trim-misses-a-component") && mask > 1 ? mask >> 1 : mask;
}

// Components of the array at `slot` that some stage reads; none if a side cannot be narrowed or nothing would go.
std::optional<Mask> plan_slot(const link::Link& link, varyings::Slot slot) {
  Mask mask = 0;
  std::uint32_t width = 0;
  const auto add = [&](const LinkedStage& stage, const std::vector<Varying>& varyings) {
    const Varying* varying = find_varying(varyings, slot);
    if (!varying) return true;
    if (varying->form != Varying::Form::unsplit) return false;
    const auto read = read_mask(stage, spirv::Uses(stage.module), *varying);
    if (!read) return false;
    mask |= *read;
    width = spirv::component_count(stage.module, array_shape(stage.module, varying->variable)->vector);
    return true;
  };
  for (const LinkedStage* consumer : link.consumers)
    if (!add(*consumer, consumer->inputs)) return std::nullopt;
  for (const LinkedStage* producer : link.producers)
    if (!add(*producer, producer->outputs)) return std::nullopt;
  // An array of which nothing is read at all goes altogether, elsewhere.
  if (mask == 0 || mask == (Mask{1} << width) - 1) return std::nullopt;
  return mask;
}

// Of `width` components per element, those in `kept` stay.
void narrow(link::Link& link, LinkedStage& stage, Varying& varying, Mask kept, std::uint32_t width) {
  varyings::ComponentPlaces places(width);
  std::uint32_t count = 0;
  for (std::uint32_t c = 0; c < width; ++c)
    if ((kept >> c & 1) != 0) places[c] = count++;
  std::vector<varyings::Slot> left;  // slots are in the order of the elements
  for (std::size_t i = 0; i < varying.slots.size(); ++i) {
    if (places[i % width]) {
      left.push_back(varying.slots[i]);
    } else if (auto* record = link.record(varying.slots[i])) {
      record->outcome = link::Outcome::dead;
      record->reason = "nobody reads this component of any element";
      record->new_slot.reset();
    }
  }
  varying.slots = std::move(left);
  varying.component_count = static_cast<std::uint32_t>(varying.slots.size());
  varying.variable = varyings::set_components(stage.module, stage.entry, varying.variable, places, count);
}

}  // namespace

Result<Progress> narrow_array_elements(link::Link& link, PassContext& context) {
  Progress progress = Progress::none;
  std::vector<varyings::Slot> slots;
  for (const LinkedStage* consumer : link.consumers)
    for (const Varying& input : consumer->inputs)
      if (input.form == Varying::Form::unsplit) slots.push_back(input.slot);
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  for (const varyings::Slot slot : slots) {
    const auto kept = plan_slot(link, slot);
    if (!kept || !context.spend_fuel()) continue;
    const auto narrow_one = [&](LinkedStage& stage, std::vector<Varying>& varyings) {
      Varying* varying = find_varying(varyings, slot);
      if (!varying) return false;
      const Id vector = array_shape(stage.module, varying->variable)->vector;
      narrow(link, stage, *varying, *kept, spirv::component_count(stage.module, vector));
      return true;
    };
    for (LinkedStage* consumer : link.consumers)
      if (narrow_one(*consumer, consumer->inputs)) progress = progress | Progress::consumer;
    for (LinkedStage* producer : link.producers)
      if (narrow_one(*producer, producer->outputs)) progress = progress | Progress::producer;
  }
  return progress;
}

}  // namespace varylink::passes
