// How an instruction reads the bits of its operands, whatever the operands are declared as: SPIR-V lets integer
// instructions take operands of either signedness, and the opcode says which one it means (SPIR-V, "Arithmetic",
// "Bit" and "Relational and Logical Instructions").
#pragma once

#include <cstdint>
#include <optional>

#include "graph/value.h"

namespace varylink::graph {

enum class Reading : std::uint8_t {
  boolean,
  floating,
  sint,     // two's complement
  uint,     // not negative
  integer,  // either: modulo 2^width the result is the same
  bits,     // any number or vector of numbers
};

// How operation `op` (and GLSL.std.450 number) reads operand `index`. None for what is no operation on scalars.
std::optional<Reading> operand_reading(spv::Op op, std::uint32_t glsl, std::size_t index);

// The number of operands, their kinds and widths, and the type of the result are those that the instruction takes, so
// that it is valid SPIR-V on scalars of these types (rule ).
bool is_well_typed(const ValueGraph& graph, const Value& operation);

}  // namespace varylink::graph
