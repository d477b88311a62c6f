// Our own clean-up: exact, cheap, and at the granularity of single components. Control flow is left to run_clean_up().
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Looks through construction, extraction, insertion, shuffling and copying of composites, so that an extract of a
// construct becomes the component itself, and a construct of a vector's own components becomes the vector. A selection
// by a constant becomes what it selects, and one between a value and itself that value. No arithmetic is touched.
// Everything behind a clean-up may count on that; what looks through composites itself (component_liveness.h,
// analysis/component_nodes.h, graph/value_reader.h, link/values/slot_values.h) asks another question and says which.
// Returns true if something changed.
bool fold_composites(Module& module);

// Removes instructions whose result nobody needs, judging vectors component by component: an operand that only feeds
// an unneeded component of a construct becomes zero. Control flow, stores and calls are kept. Returns true if
// something changed.
bool remove_dead_components(Module& module);

// Removes names and decorations of ids that nothing defines any more, and second copies of what is left.
void remove_dangling_annotations(Module& module);

// fold_composites and remove_dead_components until neither finds anything.
bool simplify(Module& module);

}  // namespace varylink::spirv
