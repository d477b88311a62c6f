// Floats whose bits are read as integers (rule ).
#pragma once

#include <vector>

#include "spirv/ir/module.h"

namespace varylink::analysis {

// By id: the value is cast to integers bit by bit, directly or through others, and something looks at the integers. The
// last bit of it makes a difference everywhere, not along an edge. Integers that are only arranged anew and cast back
// to floats, as in shaders translated from Direct3D, do not count. Conservative: if anything in the module reads bits,
// so may functions that get the value by a call, and code that finds it in local or shared memory.
std::vector<bool> reaches_read_bits(const spirv::Module& module, const spirv::Function& function);

}  // namespace varylink::analysis
