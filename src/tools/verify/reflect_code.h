// Facts about the code that an entry point reaches: the ids, built-ins and kinds of operations that it uses.
#pragma once

#include <vector>

#include "verify/shader.h"

namespace varylink::verify {

// Functions in the call tree of the entry point. The oracle reads code on its own, so that a mistake of the linker is
// not its own mistake too.
std::vector<const spirv::Function*> call_tree(const spirv::Module& module, spirv::Id entry_function);

// By id: true if an instruction of these functions has it as an operand.
std::vector<bool> used_ids(const spirv::Module& module, const std::vector<const spirv::Function*>& functions);

// Fills the members of `shader` that describe behaviour: built-ins, has_discontinuities, samples_differ,
// interpolates_at.
void reflect_code(Shader& shader, const std::vector<const spirv::Function*>& functions);

}  // namespace varylink::verify
