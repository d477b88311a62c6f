// Chains of Vulkan structures (pNext).
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>

namespace varylink::layer {

// Structures by number, also those that the headers this is built with do not have.
inline std::uint32_t type_of(const VkBaseInStructure& structure) { return static_cast<std::uint32_t>(structure.sType); }

// The first structure of a chain with that type, nullptr if there is none.
template <typename Structure>
const Structure* find_in_chain(const void* chain, std::uint32_t type) {
  for (const auto* each = static_cast<const VkBaseInStructure*>(chain); each != nullptr; each = each->pNext)
    if (type_of(*each) == type) return reinterpret_cast<const Structure*>(each);
  return nullptr;
}

}  // namespace varylink::layer
