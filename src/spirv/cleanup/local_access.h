// Accesses to memory that no other invocation and no host sees are plain.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Takes Aligned and Nontemporal off loads, stores and copies of Function, Private, Input and Output variables. Both are
// promises about addresses and caches (SPIR-V, "Memory Operands"), which these have not; what has other memory operands
// stays.
void make_local_accesses_plain(Module& module);

}  // namespace varylink::spirv
