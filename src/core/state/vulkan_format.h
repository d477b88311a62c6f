// Color and vertex formats by Vulkan's names without prefix, "R8G8B8A8_UNORM", and the values that a shader can read
// through them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace varylink::state {

struct VulkanFormat {
  enum class Kind : std::uint8_t { unorm, snorm, uscaled, sscaled, uint, sint, ufloat, sfloat, srgb };
  Kind kind = Kind::unorm;
  std::array<std::uint8_t, 4> bits = {};  // of red, green, blue, alpha; 0: the format lacks the component

  // The type that a shader declares to read it.
  bool is_unsigned_integer() const { return kind == Kind::uint; }
  bool is_signed_integer() const { return kind == Kind::sint; }
  bool is_float() const { return !is_unsigned_integer() && !is_signed_integer(); }
  // In this respect all components are alike.
  bool has_64_bits() const { return std::find(bits.begin(), bits.end(), 64) != bits.end(); }
};

// None unless it is an uncompressed color format with one plane.
std::optional<VulkanFormat> find_format(std::string_view name);

// Likewise D16_UNORM and its like, with or without stencil.
bool is_depth_or_stencil_format(std::string_view name);

}  // namespace varylink::state
