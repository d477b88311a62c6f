// The bytes of vertices, buffers and push constants: a pure function of seed, strategy and place.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "verify/strategy.h"

namespace varylink::verify {

// Vertices of one draw, needs.vertex_stride bytes each.
std::vector<std::byte> vertex_bytes(const Needs& needs, const Strategy& strategy, std::uint64_t seed);

// Fills a block. `place` says which one it is: the same place gives the same values. Bytes between the fields are zero.
void fill_block(const BlockLayout& layout, const Strategy& strategy, std::uint64_t seed, std::uint64_t place,
                std::span<std::byte> bytes);

// Another value for a specialization constant: booleans flip, integers stay small, floats move a little, and further
// for other ids. `stage`, counted from 0 in pipeline order, makes it another one in the stages of a pair; in every
// second one booleans and integers have their defaults then.
std::uint64_t other_value(const SpecConstant& constant, std::uint32_t stage = 0);

// Writes a number as a scalar of that type.
void write_scalar(varyings::ScalarType type, double value, std::byte* to);

// IEEE half precision bits of a number, rounded to nearest even; out of range becomes infinity.
std::uint16_t half_bits(float value);

}  // namespace varylink::verify
