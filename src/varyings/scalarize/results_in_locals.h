// Results of the last stage kept in local variables until they are complete.
#pragma once

#include "spirv/ir/module.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

// Gives outputs of a fragment shader (user-defined or built-in) a local variable, which is stored to the
// output behind the store that is the last on every path, or else where the entry point returns: those that are read
// back, and those of which a store is overwritten on every path. The SSA clean-up turns these locals into values, and
// then only values that are really drawn keep their inputs alive. Where every store is drawn on some path all of them
// stay where they are (rule ): behind a merge they would cost, and win nothing. Declarations stay as they are.
//
// Only scalars and vectors that are written completely on every path to a return: where a path leaves a component
// unwritten it is undefined, and should stay as the driver makes it. Nothing is changed if the module has more than one
// function.
void keep_results_in_locals(spirv::Module& module, const Entry& entry);

}  // namespace varylink::varyings
