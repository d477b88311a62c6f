// Memory operands of loads, stores and copies (SPIR-V 3.26).
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// True for an OpLoad, OpStore or OpCopyMemory with Volatile, Aligned or another memory operand than None. None means
// the same as no operand; Tint writes it everywhere.
bool has_memory_operands(const Module& module, InstRef inst);

// A store without memory operands.
bool is_plain_store(const Module& module, InstRef inst);

}  // namespace varylink::spirv
