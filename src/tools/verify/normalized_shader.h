// Normalization applied to both modules before rendering, so that driver latitude (reassociation, uninitialized
// outputs) is not reported as a difference.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/shader.h"

namespace varylink::verify {

// The words to draw with:
//   * User-defined fragment outputs without initializer start as zero. Components left unwritten on a path may hold
//     anything (Vulkan, "Fragment Output Interface"), and two right pipelines may show different garbage there.
//   * So do local variables, which real shaders read before they write them.
//   * Every float operation is NoContraction, conversions between widths included. Drivers re-associate otherwise,
//     (x*c1)*c2 to x*(c1*c2), as soon as c1 is a constant that was a varying before, and lavapipe 25.0 leaves out both
//     conversions of double(float(d)) where the float was a varying before: differences in the last bit that the linker
//     did not make.
//   * Products of matrices and vectors are written out (plain_products.h).
//   * What the members of an array of blocks have in common is said on the variable (block_array_qualifiers.h).
//   * Values that are converted to half go through OpQuantizeToF16 first: lavapipe 25.0 does not round a converted
//     value that is not computed with, a sum with a constant zero included.
std::vector<std::uint32_t> normalized_shader(const Shader& shader);

// The normalized form of a fragment shader whose interpolated 32-bit float inputs are off by kNudge of their size,
// every other load upwards and the rest downwards; `flip` exchanges the two. Where this changes the picture much,
// rounding decides the picture.
std::vector<std::uint32_t> nudged_form(const Shader& shader, bool flip);

// The normalized form after clean-up steps, which keep every computed value: functions inlined, locals as values,
// blocks merged. A driver that draws this differently does not draw the original reliably: lavapipe 22.3 is seen to
// change pixels at the edges of clipped triangles when only two blocks behind a divergent loop are merged.
std::vector<std::uint32_t> reshaped_form(const Shader& shader);

// The normalized form of a fragment shader without NoPerspective. Where the original gives infinities and this does
// not, the driver made them: lavapipe 25.0 interpolates inputs without perspective correction to infinity in triangles
// that it clips.
std::vector<std::uint32_t> perspective_form(const Shader& shader);
bool has_perspective_form(const Shader& shader);

// Above the error of lavapipe for the common value of three equal vertices, 2701 units in the last place (rule ).
constexpr float kNudge = 0x1p-11f;

}  // namespace varylink::verify
