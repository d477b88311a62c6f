// Vertex formats by name.
#pragma once

#include <vulkan/vulkan.h>

#include <string_view>

namespace varylink::verify {

// The format with Vulkan's name without prefix; VK_FORMAT_UNDEFINED for one that the oracle does not draw with.
VkFormat vertex_format(std::string_view name);

}  // namespace varylink::verify
