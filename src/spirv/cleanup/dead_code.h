// Code without effect, and declarations without use.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// What CleanUp::remove_dead_code does, as long as no branch has to go: instructions that no output, no memory and no
// branch depends on (rule ), stores to local and private variables that nobody reads, types, constants and global
// variables that are not used. Their names and decorations are left (remove_dangling_annotations). What entry points
// list stays, and so do resources with a binding and specialization constants.
//
// Returns false, and leaves the module as it was, if a selection or loop has to go or the module has several functions;
// that takes SPIRV-Tools. The module is is_plain() (spirv/tools/clean_up_work.h).
bool remove_dead_code(Module& module);

}  // namespace varylink::spirv
