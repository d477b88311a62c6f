#include "varyings/lower/widen_array.h"

#include <algorithm>

#include "base/seeded_fault.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using Kind = PointerAccess::Kind;

class Widener {
 public:
  Widener(Module& module, const Varying& varying, std::uint32_t components)
      : module_(module), globals_(module), emitter_(module, globals_), old_variable_(varying.variable) {
    storage_ = static_cast<spv::StorageClass>(module.operand(module.def(old_variable_), 0).word);
    array_ = spirv::pointee_type(module, module.type_of(old_variable_));
    element_ = spirv::element_type(module, array_);
    width_ = spirv::component_count(module, element_);
    length_ = array_length(module, array_).value_or(0);
    scalar_ = width_ == 1 ? element_ : spirv::element_type(module, element_);
    wide_element_ = globals_.vector_type(scalar_, components);
    wide_array_ = globals_.array_type(wide_element_, length_);
  }

  Id run(const Entry& entry) {
    const VariableAccesses accesses = accesses_of(module_, spirv::Uses(module_), old_variable_);
    variable_ = globals_.variable(storage_, wide_array_);
    spirv::add_to_interface(module_, entry.inst, variable_);
    spirv::move_annotations(module_, old_variable_, variable_);
    for (const PointerAccess& access : accesses.accesses) {
      emitter_.write_to(edit_.before(access.inst));
      if (access.kind == Kind::load)
        edit_.replace(module_[access.inst].result, load(access.indices));
      else
        store(access.indices, module_.operand(access.inst, 1).word);
      edit_.remove(access.inst);
    }
    edit_.apply(module_, entry.function);
    for (const InstRef chain : accesses.chains) spirv::remove_global(module_, module_[chain].result);
    spirv::remove_global(module_, old_variable_);
    module_.sweep();
    return variable_;
  }

 private:
  Id load(const std::vector<Id>& indices) {
    if (indices.size() == 2) return emitter_.load(scalar_, chain(scalar_, indices));
    if (indices.size() == 1) return narrow(emitter_.load(wide_element_, chain(wide_element_, indices)));
    const Id whole = emitter_.load(wide_array_, variable_);
    std::vector<Id> elements;
    for (std::uint32_t i = 0; i < length_; ++i) elements.push_back(narrow(emitter_.extract(wide_element_, whole, i)));
    return emitter_.construct(array_, elements);
  }

  // The components that the element had.
  Id narrow(Id wide) {
    if (width_ == 1) return emitter_.extract(scalar_, wide, 0);
    std::vector<spirv::Operand> operands = {spirv::id(wide), spirv::id(wide)};
    for (std::uint32_t i = 0; i < width_; ++i) operands.push_back(spirv::lit(i));
    return emitter_.emit(spv::Op::OpVectorShuffle, element_, operands);
  }

  // Component by component, so that what others store beside them stays.
  void store(std::vector<Id> indices, Id value) {
    if (indices.size() == 2) return emitter_.store(chain(scalar_, indices), value);
    if (indices.size() == 1) return store_element(indices.front(), value);
    for (std::uint32_t i = 0; i < length_; ++i)
      store_element(globals_.uint_constant(i), emitter_.extract(element_, value, i));
  }

  void store_element(Id index, Id value) {
    for (std::uint32_t i = 0; i < width_; ++i) {
      const Id part = width_ == 1 ? value : emitter_.extract(scalar_, value, i);
      emitter_.store(chain(scalar_, {index, globals_.uint_constant(i)}), part);
    }
  }

  Id chain(Id type, const std::vector<Id>& indices) { return emitter_.chain(storage_, type, variable_, indices); }

  Module& module_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  spirv::CodeEdit edit_;
  Id old_variable_, variable_ = 0;
  spv::StorageClass storage_;
  Id array_ = 0, element_ = 0, scalar_ = 0, wide_element_ = 0, wide_array_ = 0;
  std::uint32_t width_ = 0, length_ = 0;
};

}  // namespace

std::optional<ArrayShape> shape_to_widen(const Module& module, const Varying& varying) {
  if (varying.form != Varying::Form::unsplit || varying.slot.component != 0 || varying.variable == 0)
    return std::nullopt;
  const Id array = spirv::pointee_type(module, module.type_of(varying.variable));
  const auto length = array_length(module, array);
  if (!length) return std::nullopt;
  const Id element = spirv::element_type(module, array);
  const bool is_vector = spirv::is_scalar_or_vector(module, element);
  if (!is_vector || scalar_type_of(module, element) != ScalarType{ScalarKind::floating, 32}) return std::nullopt;
  const VariableAccesses accesses = accesses_of(module, spirv::Uses(module), varying.variable);
  const bool are_plain = std::all_of(accesses.accesses.begin(), accesses.accesses.end(),
                                     [&](const PointerAccess& access) { return is_plain_access(module, access); });
  if (accesses.obstacle || !are_plain) return std::nullopt;
  return ArrayShape{*length, spirv::component_count(module, element)};
}

Id widen_array(Module& module, const Entry& entry, const Varying& varying, std::uint32_t components) {
  return Widener(module, varying, components).run(entry);
}

}  // namespace varylink::varyings
