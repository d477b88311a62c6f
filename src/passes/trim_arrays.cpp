#include "passes/trim_arrays.h"

#include <algorithm>

#include "base/seeded_fault.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::passes {
namespace {

using link::find_varying;
using link::LinkedStage;
using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using varyings::PointerAccess;
using varyings::Varying;

using Mask = std::uint32_t;

// The declaration of an array of vectors: how many array levels lie above the vector.
struct ArrayShape {
  std::vector<Id> levels;  // array types, outermost first
  Id vector = 0;
};

std::optional<ArrayShape> array_shape(const Module& module, Id variable) {
  ArrayShape shape;
  Id type = spirv::pointee_type(module, module.type_of(variable));
  for (; module.def_op(type) == spv::Op::OpTypeArray; type = spirv::element_type(module, type)) {
    if (spirv::element_count(module, type) == 0) return std::nullopt;
    shape.levels.push_back(type);
  }
  shape.vector = type;
  const bool fits = !shape.levels.empty() && module.def_op(type) == spv::Op::OpTypeVector;
  return fits ? std::optional(shape) : std::nullopt;
}

// Components of a loaded vector that its users look at.
Mask used_components(const Module& module, const spirv::Uses& uses, Id vector) {
  Mask mask = 0;
  const std::uint32_t width = spirv::component_count(module, module.type_of(vector));
  for (const InstRef user : uses.of(vector)) {
    if (module[user].op == spv::Op::OpCompositeExtract) {
      mask |= Mask{1} << module.operand(user, 1).word;
    } else if (module[user].op == spv::Op::OpVectorShuffle) {
      const bool first = module.operand(user, 0).word == vector, second = module.operand(user, 1).word == vector;
      const std::uint32_t first_width = spirv::component_count(module, module.type_of(module.operand(user, 0).word));
      for (std::uint32_t lane = 2; lane < module.operands(user).size(); ++lane) {
        const std::uint32_t source = module.operand(user, lane).word;
        if (source == 0xffffffffu) continue;
        if (source < first_width ? first : second)
          mask |= Mask{1} << (source < first_width ? source : source - first_width);
      }
    } else {
      return (Mask{1} << width) - 1;
    }
  }
  return seeded_fault("trim-misses-a-component") && mask > 1 ? mask >> 1 : mask;
}

// How one stage uses the array; `read` is what it reads, none if it cannot be narrowed.
std::optional<Mask> read_mask(const LinkedStage& stage, const spirv::Uses& uses, const Varying& varying) {
  const Module& module = stage.module;
  const auto shape = array_shape(module, varying.variable);
  const varyings::VariableAccesses accesses = varyings::accesses_of(module, uses, varying.variable);
  if (!shape || accesses.obstacle || varying.captured || varying.scalar.width == 64) return std::nullopt;
  Mask mask = 0;
  for (const PointerAccess& access : accesses.accesses) {
    if (access.kind == PointerAccess::Kind::interpolate || access.indices.size() < shape->levels.size())
      return std::nullopt;
    const bool is_component = access.indices.size() > shape->levels.size();
    const auto component = is_component ? varyings::constant_int(module, access.indices.back()) : std::nullopt;
    if (is_component && (!component || *component < 0 || *component > 3)) return std::nullopt;
    if (access.kind != PointerAccess::Kind::load) continue;
    mask |= is_component ? Mask{1} << *component : used_components(module, uses, module[access.inst].result);
  }
  return mask;
}

class Narrower {
 public:
  Narrower(LinkedStage& stage, Varying& varying, Mask kept)
      : stage_(stage), module_(stage.module), varying_(varying), globals_(module_), emitter_(module_, globals_) {
    for (std::uint32_t c = 0; c < 4; ++c)
      if ((kept >> c & 1) != 0) kept_.push_back(c);
  }

  void run() {
    const varyings::VariableAccesses accesses = varyings::accesses_of(module_, spirv::Uses(module_), varying_.variable);
    shape_ = *array_shape(module_, varying_.variable);
    scalar_ = spirv::element_type(module_, shape_.vector);
    storage_ = static_cast<spv::StorageClass>(module_.operand(module_.def(varying_.variable), 0).word);
    declare();
    for (const PointerAccess& access : accesses.accesses) {
      emitter_.write_to(edit_.before(access.inst));
      if (access.indices.size() > shape_.levels.size())
        rewrite_component(access);
      else if (access.kind == PointerAccess::Kind::load)
        rewrite_load(access);
      else
        rewrite_store(access);
      edit_.remove(access.inst);
    }
    edit_.apply(module_, stage_.entry.function);
    for (const InstRef chain : accesses.chains) spirv::remove_global(module_, module_[chain].result);
    spirv::remove_global(module_, varying_.variable);
    module_.sweep();
    varying_.variable = variable_;
  }

 private:
  // The narrower variable carries the decorations of the old one.
  void declare() {
    narrow_ = globals_.vector_type(scalar_, static_cast<std::uint32_t>(kept_.size()));
    Id type = narrow_;
    for (auto level = shape_.levels.rbegin(); level != shape_.levels.rend(); ++level)
      type = globals_.array_type(type, spirv::element_count(module_, *level));
    variable_ = globals_.variable(storage_, type, module_.name(varying_.variable));
    spirv::add_to_interface(module_, stage_.entry.inst, variable_);
    const std::vector<InstRef> annotations = module_.annotations;
    for (const InstRef inst : annotations) {
      if (module_[inst].op != spv::Op::OpDecorate || module_.operand(inst, 0).word != varying_.variable) continue;
      const auto operands = module_.operands(inst);
      std::vector<spirv::Operand> copy(operands.begin(), operands.end());
      copy.front() = spirv::id(variable_);
      module_.annotations.push_back(module_.create(spv::Op::OpDecorate, 0, 0, copy));
    }
  }

  Id element_pointer(const PointerAccess& access) {
    const std::span<const Id> indices(access.indices.data(), shape_.levels.size());
    return emitter_.chain(storage_, narrow_, variable_, indices);
  }

  void rewrite_load(const PointerAccess& access) {
    const Id loaded = emitter_.load(narrow_, element_pointer(access));
    std::vector<Id> parts(spirv::component_count(module_, shape_.vector), globals_.null_constant(scalar_));
    for (std::uint32_t i = 0; i < kept_.size(); ++i)
      parts[kept_[i]] = kept_.size() == 1 ? loaded : emitter_.extract(scalar_, loaded, i);
    edit_.replace(module_[access.inst].result, emitter_.construct(shape_.vector, parts));
  }

  void rewrite_store(const PointerAccess& access) {
    const Id value = module_.operand(access.inst, 1).word;
    std::vector<Id> parts;
    for (const std::uint32_t component : kept_) parts.push_back(emitter_.extract(scalar_, value, component));
    const Id stored = parts.size() == 1 ? parts.front() : emitter_.construct(narrow_, parts);
    emitter_.store(element_pointer(access), stored);
  }

  // A store to a component that goes is dropped; a load of one cannot occur.
  void rewrite_component(const PointerAccess& access) {
    const auto component = static_cast<std::uint32_t>(*varyings::constant_int(module_, access.indices.back()));
    const auto place = std::find(kept_.begin(), kept_.end(), component);
    if (place == kept_.end()) return;
    std::vector<Id> indices(access.indices.begin(), access.indices.end() - 1);
    if (kept_.size() > 1) indices.push_back(globals_.uint_constant(static_cast<std::uint32_t>(place - kept_.begin())));
    const Id pointer = emitter_.chain(storage_, scalar_, variable_, indices);
    if (access.kind == PointerAccess::Kind::load)
      edit_.replace(module_[access.inst].result, emitter_.load(scalar_, pointer));
    else
      emitter_.store(pointer, module_.operand(access.inst, 1).word);
  }

  LinkedStage& stage_;
  Module& module_;
  Varying& varying_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  spirv::CodeEdit edit_;
  std::vector<std::uint32_t> kept_;
  ArrayShape shape_;
  Id scalar_ = 0, narrow_ = 0, variable_ = 0;
  spv::StorageClass storage_ = spv::StorageClass::Input;
};

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

// Slots of a varying in element order, `width` per element: keeps those of the components in `kept`.
void narrow_slots(link::Link& link, Varying& varying, Mask kept, std::uint32_t width) {
  std::vector<varyings::Slot> left;
  for (std::size_t i = 0; i < varying.slots.size(); ++i) {
    if ((kept >> (i % width) & 1) != 0) {
      left.push_back(varying.slots[i]);
    } else if (auto* record = link.record(varying.slots[i])) {
      record->fate = link::Fate::dead;
      record->reason = "nobody reads this component of any element";
      record->new_slot.reset();
    }
  }
  varying.slots = std::move(left);
  varying.component_count = static_cast<std::uint32_t>(varying.slots.size());
}

}  // namespace

Result<Progress> trim_arrays(link::Link& link, PassContext& context) {
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
    const auto narrow = [&](LinkedStage& stage, std::vector<Varying>& varyings) {
      Varying* varying = find_varying(varyings, slot);
      if (!varying) return false;
      const Id vector = array_shape(stage.module, varying->variable)->vector;
      narrow_slots(link, *varying, *kept, spirv::component_count(stage.module, vector));
      Narrower(stage, *varying, *kept).run();
      return true;
    };
    for (LinkedStage* consumer : link.consumers)
      if (narrow(*consumer, consumer->inputs)) progress = progress | Progress::consumer;
    for (LinkedStage* producer : link.producers)
      if (narrow(*producer, producer->outputs)) progress = progress | Progress::producer;
  }
  return progress;
}

}  // namespace varylink::passes
