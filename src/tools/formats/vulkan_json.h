// Values of Vulkan's structures as JSON with the names of the C headers has them, that of Vulkan SC and of
// GFXReconstruct: enumerants by name, masks by name or number, 32-bit numbers also by the name of a macro, numbers also
// as text ("0x11"), "NULL" for members that are not there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/strict_json.h"

namespace varylink::formats {

// The member, unless it is missing, null or "NULL".
std::optional<StrictJson> member(const StrictJson& json, const std::string& key);
// The elements of a list that may be missing.
std::vector<StrictJson> list(const StrictJson& json, const std::string& key);

// "VK_FORMAT_R8_UNORM" -> "R8_UNORM"; complains about a text without the prefix.
std::string enumerant(const StrictJson& json, const std::string& prefix);
// A number, or VK_ATTACHMENT_UNUSED and the like.
std::uint32_t number(const StrictJson& json);
bool flag(const StrictJson& json);
// VkSampleCountFlagBits
std::uint32_t sample_count(const StrictJson& json);
// "VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT", also as a number.
std::uint32_t shader_stages(const StrictJson& json);
std::uint32_t color_components(const StrictJson& json);
// VkPipelineCreateFlagBits of Vulkan SC.
std::uint32_t create_flags(const StrictJson& json);

// Structures of a pNext chain, outermost first; complains about one without sType.
std::vector<StrictJson> chain(const StrictJson& json);
// Without VK_STRUCTURE_TYPE_.
std::string structure_type(const StrictJson& json);

// Stages of which some have VkPipelineRobustnessCreateInfo and others have none, or another one.
bool differ_in_robustness(const std::vector<StrictJson>& stages);

// Whether it is a 0, VK_FALSE or false.
bool is_zero(const StrictJson& json);

// Key of an object that refers to another one: handles are numbers, and keys in lists of objects their texts.
std::string handle(const StrictJson& json);

}  // namespace varylink::formats
