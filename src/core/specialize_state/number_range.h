// Ranges of 32-bit numbers, and operations on them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "spirv/ir/module.h"
#include "state/vulkan_format.h"

namespace varylink::specialize_state {

// A number that is no NaN and lies in [low, high]. Integers below zero are signed, all others either.
struct Range {
  double low = 0, high = 0;
  std::uint64_t from = 0;  // bit i: the attribute at location i has a say

  bool is_point() const { return low == high; }
};

// Of a component that the format has; none for formats with infinities, for 32 bits and more, and for the alpha of
// integers (rule ).
std::optional<Range> range_of(const state::VulkanFormat& format, std::uint32_t component);

// The number that is in one of both.
Range joined(const Range& a, const Range& b);

// The result of a scalar operation of `op`, or of number `glsl` of GLSL.std.450 if `op` is OpExtInst, on operands in
// these ranges. None for operations that are not followed, and for results that do not fit into 32 bits.
std::optional<Range> result_range(spv::Op op, std::uint32_t glsl, bool is_float, std::span<const Range> operands);

// The comparison, if it has one result for all numbers of the ranges.
std::optional<bool> decided(spv::Op op, const Range& a, const Range& b);

// The position of the operand that the operation gives back as it is, for all numbers of the ranges.
std::optional<std::uint32_t> unchanged_operand(spv::Op op, std::uint32_t glsl, std::span<const Range> operands);

}  // namespace varylink::specialize_state
