// Functions of vectors, words and matrices that have no reading as scalar operations: determinants, inverses, packing
// and unpacking. Each component of a result is a value over all components of the operand; the instruction stays one.
#pragma once

#include <cstdint>
#include <optional>

namespace varylink::graph {

// Numbers in columns: a scalar or vector has one.
struct NumberShape {
  std::uint32_t rows = 1, columns = 1;
  std::uint32_t components() const { return rows * columns; }
};

struct UndividedShape {
  NumberShape operand, result;
};

// Operand and result of the instruction of GLSL.std.450, if its operand has so many components; none for all other
// instructions, 0 among them, and for other operands.
std::optional<UndividedShape> undivided_shape(std::uint32_t glsl, std::size_t components);

}  // namespace varylink::graph
