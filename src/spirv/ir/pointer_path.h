// From a pointer back to its root: the variable, parameter or other instruction that its access chains start from.
#pragma once

#include "spirv/ir/module.h"
#include "spirv/ir/operations.h"

namespace varylink::spirv {

// The result points to the pointee of the first operand, or to a part of it: an access chain, or a copy of the pointer.
inline bool is_pointer_path(spv::Op op) {
  return op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain || op == spv::Op::OpCopyObject;
}

// The root of a pointer: a variable, a parameter, or another instruction whose result is a pointer. The pointer itself
// if no path leads to it.
inline Id root_of(const Module& module, Id pointer) {
  while (is_pointer_path(module.def_op(pointer))) pointer = module.operand(module.def(pointer), 0).word;
  return pointer;
}

// As root_of(), also through loads and through OpImage, OpSampledImage and the like: the variable that a value was read
// from, if it was read from one.
inline Id variable_behind(const Module& module, Id value) {
  while (row_of(module.def_op(value)).is(kPassesVariable)) value = module.operand(module.def(value), 0).word;
  return value;
}

}  // namespace varylink::spirv
