#include "varyings/scalarize/enumerate_indices.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "base/seeded_fault.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/scalar_view.h"
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
constexpr std::uint64_t kMaxGathered = 4;  // components of a vector

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
  std::uint32_t components = ~0u;  // bits: those of a vector that are needed
  std::uint64_t count = 1;         // combinations
  std::uint64_t elements = 1;      // of the arrays that are indexed dynamically
  std::uint32_t unknown = 0;       // indices that are not constant
  bool gathers = false;            // any element may be meant: they become vectors, which have the index
};

class Enumerator {
 public:
  Enumerator(Module& module, const Entry& entry, const SidePlan& producer)
      : module_(module),
        entry_(entry),
        producer_(producer),
        uses_(module),
        indices_(module, entry),
        globals_(module),
        emitter_(module, globals_) {}

  void run() {
    for (const InterfaceVariable& variable : interface_variables(module_, entry_, Direction::input)) {
      const VariableAccesses accesses = accesses_of(module_, uses_, variable.id);
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
    return std::none_of(variable.leaves.begin(), variable.leaves.end(),
                        [&](const Leaf& leaf) {
                          return leaf.interpolation.per_vertex || is_storage_only(module_, leaf.scalar);
                        }) &&
           std::none_of(accesses.accesses.begin(), accesses.accesses.end(), [&](const PointerAccess& access) {
             return access.kind != Kind::load || (variable.arrayed && access.indices.empty());
           });
  }

  std::optional<Choices> choices_of(const InterfaceVariable& variable, const PointerAccess& access) {
    Choices choices;
    Id type = variable.element_type;
    std::size_t level = variable.arrayed ? 1 : 0;
    for (; level < access.indices.size() && !spirv::is_scalar_or_vector(module_, type); ++level) {
      const std::uint32_t length = spirv::element_count(module_, type);
      choices.levels.push_back(indices_.of(access.indices[level], length));
      choices.count *= choices.levels.back().size();
      if (!constant_int(module_, access.indices[level])) {
        choices.elements *= length;
        ++choices.unknown;
      }
      if (choices.count == 0 || choices.count > kMaxChoices) return std::nullopt;
      type = spirv::element_type(module_, type, choices.levels.back().front());
    }
    const bool is_vector = spirv::is_scalar_or_vector(module_, type), is_component = level < access.indices.size();
    if (is_component && level > 0 && is_dense_index(module_, access.indices[level - 1], access.indices[level]))
      return std::nullopt;
    const auto component = is_component ? constant_int(module_, access.indices[level]) : std::nullopt;
    const bool is_known = component && *component >= 0 && *component < 4;
    if (is_known) choices.components = 1u << *component;
    const bool few = choices.count < choices.elements || choices.elements == 1;
    const std::uint64_t loaded = components_of(module_, is_vector ? module_[access.inst].type : type);
    if (!few && choices.unknown == 1 && is_vector && (!is_component || is_known)) {
      if (!is_component) choices.components = spirv::read_scalars(module_, uses_, module_[access.inst].result);
      choices.gathers = choices.elements * static_cast<unsigned>(std::popcount(choices.components)) <= kMaxGathered;
    }
    const bool is_written_out = few && choices.count * loaded <= kMaxComponents;
    return is_written_out || choices.gathers ? std::optional(choices) : std::nullopt;
  }

  static bool reaches(const Choices& choices, const Leaf& leaf, std::uint32_t component) {
    for (std::size_t i = 0; i < choices.levels.size() && i < leaf.path.size(); ++i)
      if (!std::binary_search(choices.levels[i].begin(), choices.levels[i].end(), leaf.path[i])) return false;
    return (choices.components >> component & 1) != 0;
  }

  // A component beside the leaf is free, or one of its own is not read.
  static bool leaves_room(const std::vector<Choices>& all, const Leaf& leaf) {
    if (leaf.count * leaf.slots_per_component() % 4 != 0) return true;
    for (std::uint32_t c = 0; c < leaf.count; ++c)
      if (std::none_of(all.begin(), all.end(), [&](const Choices& one) { return reaches(one, leaf, c); })) return true;
    return false;
  }

  // Every dynamic index can be written out, and then some component goes, or shares its location.
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
    return any && std::any_of(variable.leaves.begin(), variable.leaves.end(),
                              [&](const Leaf& leaf) { return leaves_room(all, leaf); });
  }

  void rewrite(const InterfaceVariable& variable, const PointerAccess& access) {
    emitter_.write_to(edit_.before(access.inst));
    const Id wanted = module_[access.inst].type;
    const Choices choices = *choices_of(variable, access);
    edit_.replace(module_[access.inst].result, choices.gathers
                                                   ? gather(variable, access.indices, wanted, choices.components)
                                                   : build(variable, access.indices, wanted));
    edit_.remove(access.inst);
  }

  // The value of type `wanted` at `indices`, one of which means any element of its array. Each needed component is one
  // of a vector that has that component of all elements; drivers choose among all elements of an array as well.
  Id gather(const InterfaceVariable& variable, std::vector<Id> indices, Id wanted, std::uint32_t needed) {
    std::size_t level = variable.arrayed ? 1 : 0;
    Id type = variable.element_type;
    for (std::optional<std::int64_t> known; (known = constant_int(module_, indices[level])); ++level)
      type = spirv::element_type(module_, type, static_cast<std::uint32_t>(*known));
    const std::uint32_t width = spirv::component_count(module_, wanted), length = spirv::element_count(module_, type);
    if (width == 1) return gather_component(variable, indices, level, length, wanted);
    const Id scalar = spirv::element_type(module_, wanted);
    std::vector<Id> parts;
    for (std::uint32_t c = 0; c < width; ++c) {
      std::vector<Id> longer = indices;
      longer.push_back(globals_.uint_constant(c));
      parts.push_back((needed >> c & 1) != 0 ? gather_component(variable, longer, level, length, scalar)
                                             : globals_.null_constant(scalar));
    }
    return emitter_.construct(wanted, parts);
  }

  Id gather_component(const InterfaceVariable& variable, std::vector<Id> indices, std::size_t level,
                      std::uint32_t length, Id scalar) {
    const Id index = indices[level];
    std::vector<Id> row;
    for (std::uint32_t i = 0; i < length; ++i) {
      indices[level] = constant_like(index, seeded_fault("gathers-one-element") ? 0 : i);
      row.push_back(emitter_.load(scalar, emitter_.chain(spv::StorageClass::Input, scalar, variable.id, indices)));
    }
    const Id vector = emitter_.construct(globals_.vector_type(scalar, length), row);
    return emitter_.emit(spv::Op::OpVectorExtractDynamic, scalar, {spirv::id(vector), spirv::id(index)});
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
  const spirv::Uses uses_;
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
