#include "varyings/scalarize/enumerate_indices.h"

#include <algorithm>
#include <optional>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/index_values.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using Kind = PointerAccess::Kind;

constexpr std::uint64_t kMaxChoices = 4;
constexpr std::uint64_t kMaxComponents = 16;

std::uint64_t components_of(const Module& module, Id type) {
  if (spirv::is_scalar_or_vector(module, type)) return spirv::component_count(module, type);
  std::uint64_t count = 0;
  for (std::uint32_t i = 0; i < spirv::element_count(module, type); ++i)
    count += components_of(module, spirv::element_type(module, type, i));
  return count;
}

bool is_dynamic(const Module& module, const InterfaceVariable& variable, const PointerAccess& access) {
  const ConstantPath found = constant_path(module, variable, access);
  return found.dynamic_behind &&
         !spirv::is_scalar_or_vector(module, type_at(module, variable.element_type, found.path));
}

// Location and component are quotient and remainder of one number, with whatever follows the remainder: an element of
// an array that was made denser (varyings/vectorize/dense_array.h), which stays one as long as the number may be
// anything.
bool is_dense_index(const Module& module, Id row, Id column) {
  const spv::Op quotient = module.def_op(row);
  if (quotient != spv::Op::OpShiftRightLogical && quotient != spv::Op::OpUDiv) return false;
  while (module.def_op(column) == spv::Op::OpIAdd || module.def_op(column) == spv::Op::OpIMul)
    column = module.operand(module.def(column), 0).word;
  const spv::Op remainder = module.def_op(column);
  return remainder == (quotient == spv::Op::OpUDiv ? spv::Op::OpUMod : spv::Op::OpBitwiseAnd) &&
         module.operand(module.def(row), 0).word == module.operand(module.def(column), 0).word;
}

// The elements that each index of an access may mean, below the per-vertex level and above the components of vectors.
struct Choices {
  std::vector<std::vector<std::uint32_t>> levels;
  std::uint64_t count = 1;     // combinations
  std::uint64_t elements = 1;  // of the arrays that are indexed dynamically
};

class Enumerator {
 public:
  Enumerator(Module& module, const Entry& entry, const SidePlan& producer)
      : module_(module),
        entry_(entry),
        producer_(producer),
        indices_(module, entry),
        globals_(module),
        emitter_(module, globals_) {}

  void run() {
    const spirv::Uses uses(module_);
    for (const InterfaceVariable& variable : interface_variables(module_, entry_, Direction::input)) {
      const VariableAccesses accesses = accesses_of(module_, uses, variable.id);
      if (!may_be_split(variable, accesses) || !pays(variable, accesses)) continue;
      for (const PointerAccess& access : accesses.accesses)
        if (is_dynamic(module_, variable, access)) rewrite(variable, access);
    }
    edit_.apply(module_, entry_.function);
    module_.sweep();
  }

 private:
  bool may_be_split(const InterfaceVariable& variable, const VariableAccesses& accesses) const {
    if (variable.unsupported || accesses.obstacle) return false;
    for (const VariablePlan& plan : producer_.variables) {
      const std::uint32_t end = plan.variable.location + plan.variable.location_count;
      const bool apart =
          end <= variable.location || variable.location + variable.location_count <= plan.variable.location;
      if (!apart && (plan.fixed || !plan.unsplit.empty())) return false;
    }
    return std::none_of(
               variable.leaves.begin(), variable.leaves.end(),
               [&](const Leaf& leaf) { return leaf.interpolation.per_vertex || is_storage_only(module_, leaf); }) &&
           std::none_of(accesses.accesses.begin(), accesses.accesses.end(), [&](const PointerAccess& access) {
             return access.kind != Kind::load || (variable.arrayed && access.indices.empty());
           });
  }

  std::optional<Choices> choices_of(const InterfaceVariable& variable, const PointerAccess& access) {
    Choices choices;
    Id type = variable.element_type;
    for (std::size_t i = variable.arrayed ? 1 : 0; i < access.indices.size(); ++i) {
      if (spirv::is_scalar_or_vector(module_, type)) {
        if (i > 0 && is_dense_index(module_, access.indices[i - 1], access.indices[i])) return std::nullopt;
        break;
      }
      const std::uint32_t length = spirv::element_count(module_, type);
      const bool known = constant_int(module_, access.indices[i]).has_value();
      choices.levels.push_back(indices_.of(access.indices[i], length));
      choices.count *= choices.levels.back().size();
      if (!known) choices.elements *= length;
      if (choices.count == 0 || choices.count > kMaxChoices) return std::nullopt;
      type = spirv::element_type(module_, type, choices.levels.back().front());
    }
    const bool few = choices.count < choices.elements || choices.elements == 1;
    const std::uint64_t loaded =
        components_of(module_, spirv::is_scalar_or_vector(module_, type) ? module_[access.inst].type : type);
    return few && choices.count * loaded <= kMaxComponents ? std::optional(choices) : std::nullopt;
  }

  static bool reaches(const Choices& choices, const Leaf& leaf) {
    for (std::size_t i = 0; i < choices.levels.size() && i < leaf.path.size(); ++i)
      if (!std::binary_search(choices.levels[i].begin(), choices.levels[i].end(), leaf.path[i])) return false;
    return true;
  }

  // Every dynamic index can be written out, and then some element goes, or shares its location.
  bool pays(const InterfaceVariable& variable, const VariableAccesses& accesses) {
    std::vector<Choices> all;
    bool any = false;
    for (const PointerAccess& access : accesses.accesses) {
      any = any || is_dynamic(module_, variable, access);
      auto choices = choices_of(variable, access);
      if (choices)
        all.push_back(std::move(*choices));
      else if (is_dynamic(module_, variable, access))
        return false;
      else
        all.emplace_back();  // too large to count; it reads whatever it reads
    }
    return any && std::any_of(variable.leaves.begin(), variable.leaves.end(), [&](const Leaf& leaf) {
             return leaf.count * leaf.slots_per_component() % 4 != 0 ||
                    std::none_of(all.begin(), all.end(), [&](const Choices& one) { return reaches(one, leaf); });
           });
  }

  void rewrite(const InterfaceVariable& variable, const PointerAccess& access) {
    emitter_.write_to(edit_.before(access.inst));
    edit_.replace(module_[access.inst].result, build(variable, access.indices, module_[access.inst].type));
    edit_.remove(access.inst);
  }

  // The value of type `wanted` at `indices`. An aggregate is built of its parts, so that choices are between vectors.
  Id build(const InterfaceVariable& variable, const std::vector<Id>& indices, Id wanted) {
    if (!spirv::is_scalar_or_vector(module_, wanted)) {
      std::vector<Id> parts;
      for (std::uint32_t i = 0; i < spirv::element_count(module_, wanted); ++i) {
        std::vector<Id> longer = indices;
        longer.push_back(globals_.uint_constant(i));
        parts.push_back(build(variable, longer, spirv::element_type(module_, wanted, i)));
      }
      return emitter_.construct(wanted, parts);
    }
    return build_chosen(variable, indices, variable.arrayed ? 1 : 0, variable.element_type, wanted);
  }

  // The same, where the indices before `level` are constants and lead to a part of type `type`.
  Id build_chosen(const InterfaceVariable& variable, std::vector<Id> indices, std::size_t level, Id type, Id wanted) {
    if (level == indices.size() || spirv::is_scalar_or_vector(module_, type))
      return emitter_.load(wanted, emitter_.chain(spv::StorageClass::Input, wanted, variable.id, indices));
    const Id index = indices[level];
    Id value = 0;
    for (const std::uint32_t element : indices_.of(index, spirv::element_count(module_, type))) {
      if (!constant_int(module_, index)) indices[level] = constant_like(index, element);
      const Id one = build_chosen(variable, indices, level + 1, spirv::element_type(module_, type, element), wanted);
      value = value == 0 ? one : choose(index, indices[level], one, value);
    }
    return value;
  }

  Id constant_like(Id index, std::uint32_t element) {
    const Id type = module_.type_of(index);
    std::vector<std::uint32_t> bits = {element};
    if (module_.operand(module_.def(type), 0).word > 32) bits.push_back(0);
    return globals_.scalar_constant(type, bits);
  }

  // `then` where the index is `element`.
  Id choose(Id index, Id element, Id then, Id otherwise) {
    const Id condition = emitter_.emit(spv::Op::OpIEqual, globals_.bool_type(), {spirv::id(index), spirv::id(element)});
    return emitter_.select(module_.type_of(then), condition, then, otherwise);
  }

  Module& module_;
  const Entry& entry_;
  const SidePlan& producer_;
  IndexValues indices_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  spirv::CodeEdit edit_;
};

}  // namespace

void enumerate_indices(Module& module, const Entry& entry, const SidePlan& producer) {
  Enumerator(module, entry, producer).run();
}

bool has_dynamic_inputs(const Module& module, const Entry& entry) {
  const spirv::Uses uses(module);
  for (const InterfaceVariable& variable : interface_variables(module, entry, Direction::input))
    for (const PointerAccess& access : accesses_of(module, uses, variable.id).accesses)
      if (is_dynamic(module, variable, access)) return true;
  return false;
}

}  // namespace varylink::varyings
