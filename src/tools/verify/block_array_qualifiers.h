// Qualifiers of arrays of blocks, on the variable as well.
//
// A block says on its members how they are interpolated and whether they belong to primitives. Mesa, seen in 22.3 and
// 25.0, reads that of members of single blocks only, and of arrays of blocks what the variable says.
#pragma once

#include "verify/shader.h"

namespace varylink::verify {

// Whether the fragment stage reads an array of blocks whose members differ in these qualifiers: the variable cannot say
// them then.
bool has_mixed_block_arrays(const Shader& shader);

// Repeats on each variable of `module`, which is that of `shader`, what the members of its array of blocks have in
// common. It draws the same where members are read.
void repeat_qualifiers_of_block_arrays(spirv::Module& module, const Shader& shader);

}  // namespace varylink::verify
