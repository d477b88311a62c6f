// Reads of local copies.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// A local variable that is stored once, as a whole, with a value loaded from memory that nothing writes (an input, a
// uniform): its loads become loads of that memory, at any indices, wherever the store is sure to have run. The store
// may put the copy together from parts of the original in their order (OpCompositeConstruct). The copy goes once
// nothing reads it.
void forward_array_copies(Module& module);

// A load of a whole local variable, or of a part with constant indices, becomes the value that was stored last, if that
// store was the only one and is sure to have run, or stands in front of the load in the same block with no other in
// between. mem2reg() leaves such loads where an index elsewhere is not constant.
void forward_stores(Module& module);

}  // namespace varylink::spirv
