// Code without effect, and declarations without use.
#pragma once

#include <span>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Removes instructions that no output, no memory and no way out depends on (rule ), selections and loops around
// nothing that stays, stores to local and private variables without a load, functions without a call, types, constants
// and global variables without a use. Their names and decorations are left (remove_dangling_annotations). Variables
// that entry points list stay, and so do `kept_globals`, resources with a binding, specialization constants, and loops
// that do not end.
void remove_dead_code(Module& module, std::span<const Id> kept_globals = {});

}  // namespace varylink::spirv
