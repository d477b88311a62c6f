#include "base/seeded_fault.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/output_owner.h"
#include "varyings/scalarize/code_forms.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

bool has_known_lengths(const Module& module, Id type) {
  if (spirv::is_scalar_or_vector(module, type)) return true;
  const std::uint32_t count = spirv::element_count(module, type);
  const bool is_struct = module.def_op(type) == spv::Op::OpTypeStruct;
  if (count == 0 && !is_struct) return false;
  for (std::uint32_t i = 0; i < (is_struct ? count : 1); ++i)
    if (!has_known_lengths(module, spirv::element_type(module, type, i))) return false;
  return true;
}

class InitializerStores {
 public:
  explicit InitializerStores(Module& module) : module_(module), globals_(module), emitter_(module, globals_) {}

  void add(Id variable, Id initial) {
    variable_ = variable;
    emitter_.write_to(edit_.start());
    store(spirv::pointee_type(module_, module_.type_of(variable)), initial);
    const InstRef def = module_.def(variable);
    module_.rewrite(def, spv::Op::OpVariable, {module_.operand(def, 0)});
  }

  void apply(const Entry& entry) { edit_.apply(module_, entry.function); }

 private:
  // Stores `value` to the place that `indices_` lead to.
  void store(Id type, Id value) {
    if (spirv::is_scalar_or_vector(module_, type)) {
      if (seeded_fault("initializers-are-forgotten") && indices_.empty()) return;
      if (seeded_fault("initializers-of-parts-are-forgotten") && !indices_.empty()) return;
      emitter_.store(emitter_.chain(spv::StorageClass::Output, type, variable_, indices_), value);
      return;
    }
    for (std::uint32_t i = 0; i < spirv::element_count(module_, type); ++i) {
      const Id element = spirv::element_type(module_, type, i);
      const Id part = part_of(value, element, i);
      indices_.push_back(globals_.uint_constant(i));
      store(element, part);
      indices_.pop_back();
    }
  }

  Id part_of(Id value, Id type, std::uint32_t index) {
    const InstRef def = module_.def(value);
    switch (module_[def].op) {
      case spv::Op::OpConstantNull: return globals_.null_constant(type);
      case spv::Op::OpConstantComposite:
      case spv::Op::OpSpecConstantComposite: return module_.operand(def, index).word;
      default: return emitter_.extract(type, value, index);
    }
  }

  Module& module_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  spirv::CodeEdit edit_;
  Id variable_ = 0;
  std::vector<Id> indices_;
};

}  // namespace

void lower_initializers(Module& module, const Entry& entry) {
  if (!has_private_outputs(entry.stage)) return;
  std::vector<Id> initialized;
  for (const Id variable : entry.interface) {
    if (spirv::is_variable_in(module, variable, spv::StorageClass::Output) &&
        spirv::has_initializer(module, variable) &&
        has_known_lengths(module, spirv::pointee_type(module, module.type_of(variable))))
      initialized.push_back(variable);
  }
  if (initialized.empty()) return;
  InitializerStores stores(module);
  for (const Id variable : initialized) stores.add(variable, module.operand(module.def(variable), 1).word);
  stores.apply(entry);
}

}  // namespace varylink::varyings
