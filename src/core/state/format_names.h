// VkFormat by number and by name, as far as the formats are neither compressed nor in planes. Names are without prefix.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace varylink::state {

// "R8G8B8A8_UNORM"; 0 is "UNDEFINED". Empty for formats without a name here.
std::string format_name(std::uint32_t number);

// True for the names that format_name gives.
bool is_format_name(std::string_view name);

}  // namespace varylink::state
