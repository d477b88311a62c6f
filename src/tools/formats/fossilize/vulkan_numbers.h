// Enumerants of Vulkan by number, which is how databases have them; names without prefix, empty for those without use
// here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace varylink::formats::fossilize {

// VkPipelineCreateFlagBits
constexpr std::uint32_t kPipelineLibraryBit = 0x800, kPipelineDerivativeBit = 0x4;

// "TRIANGLE_LIST"
std::string topology_name(std::uint32_t number);
// "FILL"
std::string polygon_mode_name(std::uint32_t number);
// "VIEWPORT"
std::string dynamic_state_name(std::uint32_t number);

}  // namespace varylink::formats::fossilize
