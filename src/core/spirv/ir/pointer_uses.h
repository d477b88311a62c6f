// Accesses of instructions to the memory behind their pointer operands. The table of operations tells which of them
// write.
// Stores are the common case. Modf and frexp write through a pointer as well; so do atomics, copies of memory and
// functions that are called with a pointer.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/ir/operations.h"

namespace varylink::spirv {

// Of the operand at `position`, which is an id.
PointerUse pointer_use(const Module& module, InstRef inst, std::uint32_t position);

// Whether memory is written for certain, if the instruction runs.
inline bool writes(PointerUse use) { return use == PointerUse::write || use == PointerUse::both; }
inline bool may_write(PointerUse use) { return writes(use) || use == PointerUse::unknown; }
inline bool may_read(PointerUse use) { return use != PointerUse::none && use != PointerUse::write; }

// The pointers through which `inst` may write. Empty for an image write, which has none.
std::vector<Id> pointers_written(const Module& module, InstRef inst);

}  // namespace varylink::spirv
