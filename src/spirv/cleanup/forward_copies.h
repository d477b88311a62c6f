// Reads of local copies.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// A local variable that is stored once, as a whole, with what a load gave of memory that nobody writes (an input, a
// uniform) is read from there instead, whatever its indices, wherever the store is sure to have run. The store may put
// the copy together from parts of the original in their order (OpCompositeConstruct). The copy goes once nothing reads
// it.
void forward_array_copies(Module& module);

// A load of a whole local variable, or of a part with constant indices, gives what was stored last, if that store was
// the only one and is sure to have run, or stands in front of it in the same block with no other in between. That is
// what mem2reg() leaves where an index elsewhere is not constant.
void forward_stores(Module& module);

}  // namespace varylink::spirv
