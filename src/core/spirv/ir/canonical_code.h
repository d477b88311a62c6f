// The code of a function as text that is equal for equal code, whatever else is in the module: no ids, no names, no
// debug information, nothing about the order of declarations.
#pragma once

#include <string>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// One line for each instruction that can be reached, in reverse post-order of the blocks, which may stand in another
// order in the module; the results are numbered in that order. Types, constants
// and variables are written out where they are used, with their decorations; structure types only as "struct", since
// two shaders may see different parts of one buffer, but with the offsets of the members on the way to the loaded one.
// Loads that nothing can change (of inputs, uniform buffers and so on), access chains, and instructions that arrange
// components or take their bits as they are stand in front of their first use, once, wherever and however often the
// module has them: moving and merging them is no change of the code.
// Decorations of results (NoContraction, RelaxedPrecision) count. Empty if there is no such function.
std::string canonical_code(const Module& module, Id function);

}  // namespace varylink::spirv
