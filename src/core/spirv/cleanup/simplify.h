// Clean-up of single components, exact and cheap. run_clean_up() does control flow.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Folds construction, extraction, insertion, shuffling and copying of composites: an extract of a construct becomes the
// component, a construct of a vector's own components the vector. Folds selections by a constant and between equal
// values. Arithmetic stays. Code that runs after a clean-up may rely on that; files that look through composites
// themselves (component_liveness.h, analysis/component_nodes.h, graph/value_reader.h, link/values/slot_values.h) ask
// another question and say which. Returns true if something changed.
bool fold_composites(Module& module);

// Removes instructions with an unused result, component by component: an operand that only feeds an unused component of
// a construct becomes zero. Control flow, stores and calls stay. Returns true if something changed.
bool remove_dead_components(Module& module);

// Removes names and decorations of undefined ids, and duplicates of the others.
void remove_dangling_annotations(Module& module);

// fold_composites and remove_dead_components until neither finds anything.
bool simplify(Module& module);

}  // namespace varylink::spirv
