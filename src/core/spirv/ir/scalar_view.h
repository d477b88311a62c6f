// Values as lists of scalars: the numbers and booleans of a value in the order in which its type declares them. Row r
// of column c of a matrix is scalar c * rows + r.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "spirv/ir/uses.h"

namespace varylink::spirv {

// Scalars of a type; 0 for types that hold none, such as pointers and images. An array counts as one element if it has
// no length, or if that is a specialization constant.
std::uint32_t scalars_of_type(const Module& module, Id type);
// Scalars of a scalar, vector or matrix; 0 for all other types.
std::uint32_t scalars_of_number(const Module& module, Id type);

// A part of a value.
struct ScalarRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// The part of a value of `type` that literal indices lead to, as in OpCompositeExtract. None if they lead nowhere.
std::optional<ScalarRange> scalar_range(const Module& module, Id type, std::span<const Operand> indices);

struct Element {
  Id type = 0;
  std::uint32_t scalars_before = 0;
};

// The element of a composite type, with the scalars in front of it. None if there is no such element.
std::optional<Element> element_at(const Module& module, Id type, std::uint32_t index);

// A scalar of a value. No value: a component of a shuffle that is undefined.
struct Scalar {
  Id value = 0;
  std::uint32_t index = 0;
};

// Whether the operation only arranges scalars (kArranges of operations.def). `scalars` then are those of its result, a
// value of `type`, as scalars of its operands; at most `most`, and none if indices lead nowhere.
bool arranges_scalars(const Module& module, spv::Op op, Id type, std::span<const Operand> operands,
                      std::vector<Scalar>& scalars, std::uint32_t most = 0xffffffff);
bool arranges_scalars(const Module& module, InstRef inst, std::vector<Scalar>& scalars,
                      std::uint32_t most = 0xffffffff);

// The scalars of a vector that its users read, as bits: all of them if a user does not only arrange them.
std::uint32_t read_scalars(const Module& module, const Uses& uses, Id vector);

}  // namespace varylink::spirv
