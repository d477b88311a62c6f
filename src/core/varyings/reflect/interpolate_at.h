// The InterpolateAt instructions of GLSL.std.450, which read a fragment input at another place of the pixel than its
// declaration says: the centroid, a sample, or an offset from the middle.
#pragma once

#include <compare>
#include <cstdint>

#include "spirv/ir/emitter.h"
#include "spirv/ir/module.h"

namespace varylink::varyings {

// Where such an instruction reads. Two that are equal read at the same place, wherever they stand: the operand is one
// value.
struct InterpolateAt {
  spirv::Id set = 0;         // import of the instruction set
  std::uint32_t number = 0;  // GLSLstd450InterpolateAtCentroid, -Sample or -Offset
  spirv::Id operand = 0;     // the sample's index or the offset; 0 for the centroid
  friend auto operator<=>(const InterpolateAt&, const InterpolateAt&) = default;

  bool at_offset() const;
};

bool is_interpolate_at(const spirv::Module& module, spirv::InstRef inst);
// The instruction and the operands of `inst`. Requires is_interpolate_at(inst).
InterpolateAt interpolate_at(const spirv::Module& module, spirv::InstRef inst);
// Operand of such an instruction that points to the input.
inline constexpr std::uint32_t kInterpolantOperand = 2;

// Reads `interpolant`, a pointer to an input that is a scalar or vector `type` of 32-bit floats.
spirv::Id emit_interpolate_at(spirv::Emitter& emitter, const InterpolateAt& at, spirv::Id type, spirv::Id interpolant);

}  // namespace varylink::varyings
