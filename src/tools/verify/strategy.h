// How the inputs of one run are made. No single way suits all shaders: which ones are kept is decided by whether the
// original draws something with them.
#pragma once

#include <string>
#include <vector>

#include "verify/needs.h"

namespace varylink::verify {

// Where the vertices go, for attributes that feed the clip position.
enum class Placement {
  grid,   // small triangles that tile the clip volume, nothing clipped
  large,  // triangles that are larger than the target, clipped
};

// Contents of the attributes beside the first one that feeds the position: they may be an offset (small is good), a
// weight or a factor (near one is good), or a second copy of the position.
enum class Companions { small, near_one, same };

enum class MatrixKind { identity, near_identity, rotated };

// Values of the specialization constants: their defaults, others, or others that differ from stage to stage.
enum class SpecValues { defaults, others, by_stage };

// Half the extent of the grid in x and y.
constexpr float kWholeTarget = 0.98f;
// Small enough that two near-identity matrices in a row leave everything inside the clip volume. Where w varies,
// clipping is avoided: lavapipe interpolates noperspective inputs of clipped triangles wrongly, by percents (rule
//
constexpr float kInnerTarget = 0.8f;

struct Strategy {
  std::string name;
  std::uint64_t salt = 0;  // separates the random values of the runs
  Placement placement = Placement::grid;
  Companions companions = Companions::small;
  MatrixKind matrices = MatrixKind::identity;
  float extent = kWholeTarget;
  float w_low = 1, w_high = 1;      // fourth component of positions
  float low = 0.25f, high = 1.25f;  // plain floats in buffers
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  std::uint32_t instances = 1;
  SpecValues spec_values = SpecValues::defaults;
};

// Strategies in the order in which they are tried. The first `runs` of them that draw something are used; the later
// ones are there for shaders that need luck. `turn` says which of the usual ones begins.
std::vector<Strategy> strategies_for(const Needs& needs, std::uint32_t runs, std::uint32_t turn = 0);

// Vertices of a draw: a multiple of what one primitive of the topology takes.
std::uint32_t vertex_count(const Needs& needs, const Strategy& strategy);

}  // namespace varylink::verify
