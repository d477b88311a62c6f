// Some entry points out of a module that has several.
#pragma once

#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Takes everything out of the module that only other entry points than `kept` need: these entry points with their
// execution modes, functions that the kept ones cannot reach, global variables that they neither list nor use,
// specialization constants without a use, and the names, decorations and debug instructions of all these. Variables
// that the others share stay, and are then free to be changed (rule ). Types, constants, capabilities and
// extensions stay. `kept` are some of module.entry_points; handles stay valid.
void keep_only_entries(Module& module, const std::vector<InstRef>& kept);

// Likewise those that `chosen` selects, a predicate of an EntryPoint.
template <typename Predicate>
void keep_entries(Module& module, Predicate chosen) {
  std::vector<InstRef> kept;
  for (const EntryPoint& entry : module.entries())
    if (chosen(entry)) kept.push_back(entry.inst);
  keep_only_entries(module, kept);
}

}  // namespace varylink::spirv
