#include "varyings/scalarize/widened_varyings.h"

#include <algorithm>
#include <optional>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/value_decorations.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/varying_variable.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spv::Op;

bool is_widening(Op op) { return op == Op::OpFConvert || op == Op::OpUConvert || op == Op::OpSConvert; }

Op widening_of(ScalarType scalar) {
  if (scalar.kind == ScalarKind::floating) return Op::OpFConvert;
  return scalar.kind == ScalarKind::sint ? Op::OpSConvert : Op::OpUConvert;
}

struct NarrowVariable {
  const InterfaceVariable* variable = nullptr;
  Op conversion = Op::OpNop;  // none yet
  bool widens = false;

  bool is_input() const { return variable->direction == Direction::input; }
  ScalarType scalar() const { return variable->leaves.front().scalar; }
  bool meets(const NarrowVariable& other) const {
    return variable->location < other.variable->location + other.variable->location_count &&
           other.variable->location < variable->location + variable->location_count;
  }
};

bool is_converted_alone(const Leaf& leaf) { return leaf.scalar.width == 16 && !leaf.captured && !leaf.invariant; }

bool is_made_of_16_bits(const Module& module, const InterfaceVariable& variable) {
  return !variable.unsupported && !variable.leaves.empty() &&
         spirv::is_scalar_or_vector(module, spirv::type_without_arrays(module, variable.type)) &&
         std::all_of(variable.leaves.begin(), variable.leaves.end(), is_converted_alone);
}

bool crosses_as_it_is(const InterfaceVariable& variable, Stage consumer) {
  return consumer != Stage::fragment ||
         std::all_of(variable.leaves.begin(), variable.leaves.end(), [](const Leaf& leaf) {
           return leaf.interpolation.flat || leaf.interpolation.per_vertex || leaf.per_primitive;
         });
}

// Asks the code of one side about its variables.
class Side {
 public:
  explicit Side(ConstModuleSide side, Direction direction)
      : module_(*side.module),
        variables_(interface_variables(module_, *side.entry, direction)),
        uses_(module_),
        manners_(module_) {}

  std::vector<NarrowVariable> candidates(Stage consumer) const {
    std::vector<NarrowVariable> result;
    for (const InterfaceVariable& variable : variables_) {
      NarrowVariable& candidate = result.emplace_back(NarrowVariable{&variable});
      if (!is_made_of_16_bits(module_, variable)) continue;
      const VariableAccesses accesses = accesses_of(module_, uses_, variable.id);
      if (accesses.obstacle || accesses.accesses.empty()) continue;
      candidate.widens = candidate.is_input() ? crosses_as_it_is(variable, consumer) && reads(accesses, candidate)
                                              : only_stores(accesses);
    }
    return result;
  }

  bool has_storage_only(ScalarType scalar) const { return is_storage_only(module_, scalar); }

 private:
  // A conversion that says how it rounds may only be stored as it is (SPIR-V, FPRoundingMode).
  bool only_stores(const VariableAccesses& accesses) const {
    return std::all_of(accesses.accesses.begin(), accesses.accesses.end(), [&](const PointerAccess& access) {
      if (access.kind != PointerAccess::Kind::store || !is_plain_access(module_, access)) return false;
      const Id value = module_.operand(access.inst, 1).word;
      return spirv::is_scalar_or_vector(module_, module_.type_of(value)) && !manners_.of(value).is_own;
    });
  }

  // All that is read is a number that is converted, in one way. What computes with such numbers can narrow them again.
  bool reads(const VariableAccesses& accesses, NarrowVariable& candidate) const {
    const bool narrows = !is_storage_only(module_, candidate.scalar());
    if (narrows) candidate.conversion = widening_of(candidate.scalar());
    for (const PointerAccess& access : accesses.accesses) {
      if (access.kind != PointerAccess::Kind::load || !is_plain_access(module_, access)) return false;
      if (!spirv::is_scalar_or_vector(module_, module_[access.inst].type)) return false;
      if (narrows) continue;
      for (const InstRef user : uses_.of(module_[access.inst].result)) {
        const Op op = module_[user].op;
        if (!is_widening(op)) return false;
        if (candidate.conversion != Op::OpNop && candidate.conversion != op) return false;
        candidate.conversion = op;
      }
    }
    return candidate.conversion != Op::OpNop;
  }

  const Module& module_;
  std::vector<InterfaceVariable> variables_;
  spirv::Uses uses_;
  spirv::Manners manners_;
};

// What shares a location has one width and one numeric type (Vulkan, "Component Assignment"), and both sides of it.
bool agree(NarrowVariable& one, const NarrowVariable& other) {
  if (!other.widens || one.scalar() != other.scalar()) return false;
  if (one.conversion == Op::OpNop) one.conversion = other.conversion;
  return other.conversion == Op::OpNop || one.conversion == other.conversion;
}

void keep_what_agrees(std::vector<NarrowVariable>& all) {
  for (bool changed = true; changed;) {
    changed = false;
    for (NarrowVariable& one : all) {
      bool has_partner = false;
      for (const NarrowVariable& other : all) {
        if (&one == &other || !one.widens || !one.meets(other)) continue;
        const Op before = one.conversion;
        has_partner |= other.is_input() != one.is_input();
        one.widens = agree(one, other);
        changed |= !one.widens || one.conversion != before;
      }
      changed |= one.widens && !has_partner;
      one.widens &= has_partner;
    }
  }
}

ScalarType wide_type(Op conversion) {
  if (conversion == Op::OpFConvert) return {ScalarKind::floating, 32};
  return {conversion == Op::OpSConvert ? ScalarKind::sint : ScalarKind::uint, 32};
}

// Types of one module with wide scalars in place of narrow ones.
class Widener {
 public:
  explicit Widener(Module& module) : module_(module), globals_(module), emitter_(module, globals_) {}

  // Retypes the variable and the pointers into it.
  VariableAccesses retype(const WidenedVariable& widened) {
    const spirv::Uses uses(module_);
    VariableAccesses accesses = accesses_of(module_, uses, widened.variable);
    const InstRef declaration = module_.def(widened.variable);
    for (const InstRef debug : uses.debug_uses_of(widened.variable)) module_.kill(debug);
    retype_pointer(declaration, widened.conversion);
    std::erase(module_.types, declaration);  // behind its type
    module_.types.push_back(declaration);
    for (const InstRef chain : accesses.chains) retype_pointer(chain, widened.conversion);
    return accesses;
  }

  Id wide(Id type, Op conversion) {
    if (module_.def_op(type) == Op::OpTypeArray)
      return globals_.array_type(wide(spirv::element_type(module_, type), conversion), *array_length(module_, type));
    return globals_.vector_type(type_id(globals_, wide_type(conversion)), spirv::component_count(module_, type));
  }

  void store_wide(InstRef store, Op conversion, std::vector<InstRef>& before) {
    emitter_.write_to(before);
    const Id value = module_.operand(store, 1).word;
    module_.set_operand(
        store, 1, spirv::id(emitter_.emit(conversion, wide(module_.type_of(value), conversion), {spirv::id(value)})));
  }

  // A conversion to 32 bits has been made by the producer; all other code sees the number in 16 bits.
  void load_wide(InstRef load, Op conversion, std::vector<InstRef>& before) {
    emitter_.write_to(before);
    const Id type = wide(module_[load].type, conversion);
    const Id loaded = emitter_.load(type, module_.operand(load, 0).word);
    const spirv::Uses uses(module_);
    for (const InstRef user : uses.of(module_[load].result)) {
      const auto wanted = scalar_type_of(module_, module_[user].type);
      if (module_[user].op != conversion || !wanted || wanted->width != 32) continue;
      const bool is_same = module_[user].type == type;
      module_.rewrite(user, is_same ? Op::OpCopyObject : Op::OpBitcast, {spirv::id(loaded)});
    }
    module_.rewrite(load, conversion == Op::OpFConvert ? conversion : Op::OpSConvert, {spirv::id(loaded)});
  }

 private:
  void retype_pointer(InstRef inst, Op conversion) {
    const Id pointer = module_[inst].type;
    const auto storage = static_cast<spv::StorageClass>(module_.operand(module_.def(pointer), 0).word);
    module_.set_type(inst, globals_.pointer_type(storage, wide(spirv::pointee_type(module_, pointer), conversion)));
  }

  Module& module_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
};

}  // namespace

WidenedVaryings find_widened_varyings(ConstModuleSide producer, ConstModuleSide consumer, bool with_floats) {
  for (const ConstModuleSide& side : {producer, consumer})
    if (!side.module->has_capability(spv::Capability::StorageInputOutput16)) return {};
  const Side outputs(producer, Direction::output), inputs(consumer, Direction::input);
  std::vector<NarrowVariable> all = outputs.candidates(consumer.entry->stage);
  for (const NarrowVariable& input : inputs.candidates(consumer.entry->stage)) all.push_back(input);
  for (NarrowVariable& each : all)
    if (each.widens)
      each.widens = (outputs.has_storage_only(each.scalar()) || inputs.has_storage_only(each.scalar())) &&
                    (with_floats || each.scalar().kind != ScalarKind::floating);
  keep_what_agrees(all);
  WidenedVaryings result;
  for (const NarrowVariable& each : all)
    if (each.widens) (each.is_input() ? result.inputs : result.outputs).push_back({each.variable->id, each.conversion});
  return result;
}

void widen_outputs(Module& module, const Entry& entry, const std::vector<WidenedVariable>& outputs) {
  Widener widener(module);
  spirv::CodeEdit edit;
  for (const WidenedVariable& output : outputs)
    for (const PointerAccess& access : widener.retype(output).accesses)
      widener.store_wide(access.inst, output.conversion, edit.before(access.inst));
  edit.apply(module, entry.function);
}

void widen_inputs(Module& module, const Entry& entry, const std::vector<WidenedVariable>& inputs) {
  Widener widener(module);
  spirv::CodeEdit edit;
  for (const WidenedVariable& input : inputs)
    for (const PointerAccess& access : widener.retype(input).accesses)
      widener.load_wide(access.inst, input.conversion, edit.before(access.inst));
  edit.apply(module, entry.function);
}

}  // namespace varylink::varyings
