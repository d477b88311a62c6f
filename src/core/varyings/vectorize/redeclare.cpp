#include "varyings/vectorize/redeclare.h"

#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/variable_code.h"

namespace varylink::varyings {

spirv::Id Redeclaration::run(spirv::Id type) {
  const VariableAccesses accesses = accesses_of(module_, spirv::Uses(module_), old_);
  variable_ = globals_.variable(storage_, type);
  spirv::add_to_interface(module_, entry_.inst, variable_);
  spirv::move_annotations(module_, old_, variable_);
  for (const PointerAccess& access : accesses.accesses) {
    emitter_.write_to(edit_.before(access.inst));
    if (access.kind == PointerAccess::Kind::load)
      edit_.replace(module_[access.inst].result, load(access.indices));
    else
      store(access.indices, module_.operand(access.inst, 1).word);
    edit_.remove(access.inst);
  }
  edit_.apply(module_, entry_.function);
  remove_interface_variable(module_, old_, accesses);
  module_.sweep();
  return variable_;
}

}  // namespace varylink::varyings
