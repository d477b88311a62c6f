// The slice of a stage that computes its built-in outputs.
#pragma once

#include <vector>

#include "spirv/ir/module.h"

namespace varylink::analysis {

// By id: Position, a clip distance or another built-in output may depend on the value, so that it has to be computed
// exactly as it is (rules ). Conservative: every condition and everything stored anywhere but to an
// output with a location counts.
std::vector<bool> reaches_built_in(const spirv::Module& module, const spirv::Function& function);

// Whether something is Invariant: its data and conditions keep their instructions (rule ).
bool has_invariant(const spirv::Module& module);

}  // namespace varylink::analysis
