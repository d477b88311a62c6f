// SPIRV-Tools' own passes, as preparation and clean-up. Only passes that keep every computed value as it was are
// offered here: its float simplification re-associates, so there is no way to ask for it. Most are done by own code
// (spirv/cleanup) where that can, which needs no other form of the module, and finds the same.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "spirv/ir/module.h"
#include "spirv/tools/tool_cache.h"

namespace varylink::spirv {

enum class CleanUp {
  merge_returns,     // one return per function, so that functions can be inlined
  inline_functions,  // and drop those that nobody calls any more
  private_to_local,
  forward_array_copies,  // reads of a local copy become reads of what it is a copy of
  split_aggregates,      // local structs and arrays into their members
  promote_locals,        // local variables into SSA values
  unroll_marked_loops,   // loops with the Unroll control
  propagate_constants,   // sparse conditional; folds
  remove_dead_branches,
  merge_blocks,
  merge_redundancies,  // global value numbering
  remove_dead_code,    // dead instructions, branches, variables, types
  compact_ids,
  fold_specialized,  // what is computed from constants alone by OpSpecConstantOp
};

// Runs the steps in order, but those that have nothing to do. `kept_globals` are global ids (resources, specialization
// constants, ...) whose declarations must survive although nothing uses them. With a cache in `tools` SPIRV-Tools run
// only if it does not know what they give. None if SPIRV-Tools failed; the caller then goes on with what it had.
std::optional<Module> run_clean_up(const Module& module, std::span<const CleanUp> steps,
                                   std::span<const Id> kept_globals, const StageTools& tools = {});

// What SPIRV-Tools make of the words, whether or not the steps have something to do. None if they fail.
std::optional<std::vector<std::uint32_t>> run_tool_steps(const std::vector<std::uint32_t>& words,
                                                         std::span<const CleanUp> steps);

}  // namespace varylink::spirv
