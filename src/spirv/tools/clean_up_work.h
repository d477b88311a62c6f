// Which steps of a clean-up have something to do. SPIRV-Tools takes as long for a step that finds nothing as for one
// that finds little, and building its form of a module and writing it back takes as long as several steps.
#pragma once

#include "spirv/tools/optimize.h"

namespace varylink::spirv {

// True if our own clean-ups know everything that can be in the module: no debug instructions that name values or lines,
// no decorations that name ids or groups, no pointers as values.
bool is_plain(const Module& module);

// Some local variable is loaded as a whole. promote_locals() (spirv/cleanup/promote_locals.h) leaves such a load if the
// variable is indexed by what is not constant, too; SPIRV-Tools finds what some of these loads give.
bool has_whole_load_of_local(const Module& module);

// False if the step would find nothing in the module. `before`: steps that run first and may make something to find.
bool has_work(const Module& module, CleanUp step, std::span<const CleanUp> before);

}  // namespace varylink::spirv
