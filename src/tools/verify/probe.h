// Finds out whether a run is one where exact levels must give equal bits: every vertex has w == 1 and lies inside the
// clip volume, so that interpolation of equal values is exact (rule ).
#pragma once

#include "verify/renderer.h"

namespace varylink::verify {

// Draws the original once more with its clip positions captured by transform feedback. None if that cannot be done: no
// transform feedback, a shader that captures already, a mesh pipeline.
std::optional<bool> probe_affine(Gpu& gpu, const Needs& needs, const std::vector<Shader>& original,
                                 const Strategy& strategy, std::uint64_t seed, VkExtent2D extent);

// A copy of the module whose clip position is captured into buffer 0, 16 bytes per vertex; empty if it has none.
std::vector<std::uint32_t> with_captured_position(const Shader& shader);

}  // namespace varylink::verify
