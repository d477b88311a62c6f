// The HLSL semantics that compilers keep for tools: UserSemantic on a variable or on a member of its structure
// (SPV_GOOGLE_hlsl_functionality1, OpDecorateString of SPIR-V 1.4). They say nothing about a picture; who reads a
// module finds a varying of the source by them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

class Semantics {
 public:
  // Reads the annotations once; later edits of the module are not seen.
  explicit Semantics(const spirv::Module& module);

  // The semantic that holds for what `path` (member, element and column numbers below the per-vertex level) names in
  // `variable`: the innermost one on the way there. Empty if there is none.
  std::string at(const InterfaceVariable& variable, const std::vector<std::uint32_t>& path) const;

 private:
  using Member = std::pair<spirv::Id, std::uint32_t>;  // structure type, member number

  const spirv::Module& module_;
  std::map<spirv::Id, std::string> variables_;
  std::map<Member, std::string> members_;
};

// The module declares the extension that semantics need.
bool may_have_semantics(const spirv::Module& module);

// Gives a variable a semantic; nothing if `semantic` is empty.
void decorate_semantic(spirv::Module& module, spirv::Id variable, const std::string& semantic);

}  // namespace varylink::varyings
