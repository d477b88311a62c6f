// Vulkan's formats of vertices and attachments, and how finely an attachment stores the outputs of a shader.
#pragma once

#include <vulkan/vulkan.h>

#include <array>
#include <string_view>

#include "state/vulkan_format.h"

namespace varylink::verify {

// The format with Vulkan's name without prefix; VK_FORMAT_UNDEFINED for one that the oracle does not draw with.
VkFormat format_named(std::string_view name);

// Distance between neighbouring values of one component: two outputs that are nearly equal may be stored that much
// farther apart than they were. Absolute for fixed-point numbers, relative to the value for floats (their `absolute` is
// that of denormals).
struct Step {
  double absolute = 0;
  double relative = 0;
};

// Of red, green, blue and alpha (Vulkan 1.3, 3.10 "Fixed-Point Data Conversions", 3.4 "16-bit Floating-Point Numbers"
// and following). None for integers and for components of 32 bits.
std::array<Step, 4> steps_of(const state::VulkanFormat& format);

}  // namespace varylink::verify
