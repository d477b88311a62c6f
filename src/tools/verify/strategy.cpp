#include "verify/strategy.h"

#include <algorithm>

namespace varylink::verify {
namespace {

constexpr std::uint32_t kVertices = 96;  // 32 triangles
constexpr std::uint32_t kPatches = 12;
constexpr std::uint32_t kIndexedVertices = 3;  // positions from a table are most often one triangle

std::vector<Strategy> basic_strategies() {
  Strategy grid;
  grid.name = "grid";

  Strategy perspective;
  perspective.name = "perspective";
  perspective.extent = kInnerTarget;
  perspective.w_low = 0.5f;
  perspective.w_high = 2.0f;
  perspective.companions = Companions::near_one;
  perspective.matrices = MatrixKind::near_identity;

  Strategy large;
  large.name = "large";
  large.placement = Placement::large;
  large.instances = 2;
  large.low = -1.0f;
  large.high = 1.0f;

  Strategy rotated;
  rotated.name = "rotated";
  rotated.matrices = MatrixKind::rotated;
  rotated.companions = Companions::near_one;
  rotated.low = 0.02f;
  rotated.high = 2.5f;
  return {grid, perspective, large, rotated};
}

void append_topologies(const Needs& needs, std::vector<Strategy>& list) {
  if (needs.topology || needs.has(Stage::mesh)) return;
  // lavapipe of Mesa 22.3 sets up the inputs of lines and points that are loaded, not those that are only interpolated
  // elsewhere: what InterpolateAt instructions then read is left over from what was drawn before.
  if (needs.interpolates_at) return;
  Strategy lines = list[0];
  lines.name = "lines";
  lines.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  list.push_back(lines);
  if (!needs.writes_point_size) return;
  Strategy points = list[0];
  points.name = "points";
  points.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  list.push_back(points);
}

// Combinations for shaders that drew nothing so far.
void append_fallbacks(std::vector<Strategy>& list, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    Strategy strategy;
    strategy.name = "mixed " + std::to_string(i + 1);
    strategy.placement = i % 2 == 0 ? Placement::grid : Placement::large;
    strategy.companions = static_cast<Companions>((i + 2) % 3);
    strategy.matrices = static_cast<MatrixKind>(i % 3);
    strategy.low = i % 4 < 2 ? 0.25f : -1.0f;
    strategy.high = i % 4 == 1 ? 4.0f : 1.0f;
    list.push_back(strategy);
  }
}

std::uint32_t vertices_per_primitive(const Needs& needs, VkPrimitiveTopology topology) {
  switch (topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST: return 1;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST: return 2;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY: return 4;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY: return 6;
    case VK_PRIMITIVE_TOPOLOGY_PATCH_LIST: return std::max(1u, needs.patch_size);
    default: return 3;
  }
}

}  // namespace

std::vector<Strategy> strategies_for(const Needs& needs, std::uint32_t runs, std::uint32_t turn) {
  std::vector<Strategy> list = basic_strategies();
  if (needs.spec_constants_free) {
    Strategy specialized = list[0];
    specialized.name = "specialized";
    specialized.spec_values = SpecValues::others;
    list.insert(list.begin() + 2, specialized);
    if (!needs.shared_spec_constants) {
      specialized.name = "specialized apart";
      specialized.spec_values = SpecValues::by_stage;
      list.insert(list.begin() + 3, specialized);
    }
  }
  append_topologies(needs, list);
  std::rotate(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(turn % list.size()), list.end());
  append_fallbacks(list, std::max(runs, 8u));
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i].salt = i + 1;
    if (needs.topology) list[i].topology = *needs.topology;
  }
  return list;
}

std::uint32_t vertex_count(const Needs& needs, const Strategy& strategy) {
  const std::uint32_t step = vertices_per_primitive(needs, strategy.topology);
  std::uint32_t count = strategy.topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST ? step * kPatches : kVertices;
  const bool aimed = std::any_of(needs.attributes.begin(), needs.attributes.end(),
                                 [](const Attribute& attribute) { return attribute.feeds_position; });
  if (needs.position_needs_index && !aimed) count = kIndexedVertices;
  if (needs.position_needs_index) count = std::min(count, needs.vertex_limit);
  return std::max(count / step, 1u) * step;
}

}  // namespace varylink::verify
