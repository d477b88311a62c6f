// Removes capabilities that nothing in the module needs any more.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Takes out those capabilities whose every possible reason can be looked for: number widths, 16-bit inputs and outputs,
// interpolation functions, image queries, fine and coarse derivatives, sample-rate inputs, point sizes of tessellation
// and geometry stages; and the extension that only 16-bit storage needs. All others stay, since dropping one that some
// extension needs would make the module invalid; and so do all of a module with foreign instructions.
void trim_capabilities(Module& module);

}  // namespace varylink::spirv
