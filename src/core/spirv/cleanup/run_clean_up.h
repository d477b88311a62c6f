// Preparation and clean-up of whole modules, as lists of steps. Only steps that keep every computed value as it was are
// offered here.
#pragma once

#include <cstdint>
#include <span>

#include "spirv/ir/module.h"

namespace varylink::spirv {

enum class CleanUp : std::uint8_t {
  merge_returns,     // one return per function, so that functions can be inlined
  inline_functions,  // and drop those without a call
  private_to_local,
  forward_array_copies,  // reads of a local copy become reads of the original
  sroa,                  // local structs and arrays into their members
  mem2reg,               // local variables into SSA values
  sccp,                  // sparse conditional; folds
  fold_integers,         // the same of integers and conditions alone
  remove_dead_branches,
  merge_blocks,
  gvn,               // global value numbering
  remove_dead_code,  // dead instructions, branches, variables, types
};

// Runs the steps in order. The steps run on any module: code that a step does not understand stays as it is. Ids and
// handles of code that is left stay the same. Lines and scopes of the code that is left stay its own
// (spirv/ir/source_places.h). `kept_globals` are global ids (resources, specialization constants, ...) whose
// declarations must survive although nothing uses them.
void run_clean_up(Module& module, std::span<const CleanUp> steps, std::span<const Id> kept_globals);

}  // namespace varylink::spirv
