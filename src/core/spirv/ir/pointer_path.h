// From a pointer back to its root: the variable, parameter or other instruction that its access chains start from, and
// the indices on the way.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "spirv/ir/module.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/operations.h"

namespace varylink::spirv {

// The result points to the pointee of the first operand, or to a part of it: an access chain, or a copy of the pointer.
inline bool is_pointer_path(spv::Op op) { return is_access_chain(op) || op == spv::Op::OpCopyObject; }

// The root of a pointer: a variable, a parameter, or another instruction whose result is a pointer. The pointer itself
// if no path leads to it.
inline Id root_of(const Module& module, Id pointer) {
  while (is_pointer_path(module.def_op(pointer))) pointer = module.operand(module.def(pointer), 0).word;
  return pointer;
}

// A part of what the root points to.
struct AccessPath {
  Id root = 0;              // as root_of() has it
  std::vector<Id> indices;  // ids, from the root down
};
AccessPath access_path(const Module& module, Id pointer);

// The indices as numbers (constant_index()); none if one of them is not a constant.
std::optional<std::vector<std::uint32_t>> constant_indices(const Module& module, std::span<const Id> indices);

// The path leads to something that the type has.
bool has_part(const Module& module, Id type, std::span<const std::uint32_t> path);

// As root_of(), also through loads and through OpImage, OpSampledImage and the like: the variable that a value was read
// from, if it was read from one.
inline Id variable_behind(const Module& module, Id value) {
  while (row_of(module.def_op(value)).is(kPassesVariable)) value = module.operand(module.def(value), 0).word;
  return value;
}

}  // namespace varylink::spirv
