// An interface variable that becomes one of another type, with the code that reaches it.
#pragma once

#include <vector>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

// A kind of new type gives the code for a load or store of the old one. All code that reaches the variable loads and
// stores (VariableAccesses::obstacle).
class Redeclaration {
 public:
  Redeclaration(spirv::Module& module, const Entry& entry, spirv::Id variable)
      : module_(module),
        globals_(module),
        emitter_(module, globals_),
        old_(variable),
        storage_(static_cast<spv::StorageClass>(module.operand(module.def(variable), 0).word)),
        entry_(entry) {}
  Redeclaration(const Redeclaration&) = delete;
  virtual ~Redeclaration() = default;

  // Declares it with the names and decorations of the old one, which leaves the module. Returns the new variable.
  spirv::Id run(spirv::Id type);

 protected:
  // Loads the value that the old variable held behind these indices.
  virtual spirv::Id load(const std::vector<spirv::Id>& indices) = 0;
  virtual void store(const std::vector<spirv::Id>& indices, spirv::Id value) = 0;

  // Pointer into the new variable.
  spirv::Id chain(spirv::Id type, const std::vector<spirv::Id>& indices) {
    return emitter_.chain(storage_, type, variable_, indices);
  }

  spirv::Module& module_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;

 private:
  const spirv::Id old_;
  const spv::StorageClass storage_;
  const Entry& entry_;
  spirv::CodeEdit edit_;
  spirv::Id variable_ = 0;
};

}  // namespace varylink::varyings
