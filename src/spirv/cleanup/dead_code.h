// Code without effect, and declarations without use.
#pragma once

#include <span>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Instructions go that no output, no memory and no way out depends on (rule ), selections and loops around nothing
// that stays, stores to local and private variables that nobody reads, functions that nobody calls, types, constants
// and global variables that are not used. Their names and decorations are left (remove_dangling_annotations). What
// entry points list stays, and so do `kept_globals`, resources with a binding, specialization constants, and loops that
// do not end.
void remove_dead_code(Module& module, std::span<const Id> kept_globals = {});

}  // namespace varylink::spirv
