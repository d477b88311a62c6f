// Names for places on the interface between two stages.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace varylink::varyings {

// One component of one location: the unit in which varyings are counted, matched and placed. 16- and 32-bit scalars
// take one slot, 64-bit scalars two (Vulkan, "Location and Component Assignment"). Patch and per-vertex varyings share
// one number space (rule ), still a slot says which it is, since both must agree for two sides to match.
struct Slot {
  std::uint32_t location = 0;
  std::uint32_t component = 0;  // 0..3
  friend auto operator<=>(const Slot&, const Slot&) = default;
};

// "4.x"
inline std::string text(Slot slot) { return std::to_string(slot.location) + "." + "xyzw"[slot.component & 3]; }

enum class Direction : std::uint8_t { input, output };

// How a fragment input is interpolated (Vulkan, "Interpolation Decorations"). Only the fragment side counts.
struct Interpolation {
  bool flat = false;
  bool no_perspective = false;
  bool centroid = false;
  bool sample = false;
  bool per_vertex = false;  // PerVertexKHR: raw values of the three vertices
  friend auto operator<=>(const Interpolation&, const Interpolation&) = default;
};

// "smooth", "flat", "noperspective centroid", ...
std::string text(const Interpolation& interpolation);

enum class ScalarKind : std::uint8_t { floating, sint, uint, boolean };

struct ScalarType {
  ScalarKind kind = ScalarKind::floating;
  std::uint32_t width = 32;  // bits
  friend auto operator<=>(const ScalarType&, const ScalarType&) = default;
};

// "float", "int", "uint", "double", "float16", "int64", ...
std::string text(ScalarType type);

}  // namespace varylink::varyings
