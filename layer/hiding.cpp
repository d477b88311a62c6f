#include "hiding.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "chain.h"

namespace varylink::layer {
namespace {

// An extension and the structure of its features, in which there is one. Debian 12 has not all in its headers.
struct Hidden {
  std::string_view extension;
  std::uint32_t features;
};
constexpr Hidden kHidden[] = {
    {VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME,
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT},
    {VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME,
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_FEATURES_EXT},
    {"VK_EXT_shader_object", 1000482000},
    {"VK_KHR_pipeline_binary", 1000483000},
};

struct OneFeature {
  VkStructureType sType;
  void* pNext;
  VkBool32 feature;
};

}  // namespace

VkResult extensions_without_libraries(PFN_vkEnumerateDeviceExtensionProperties next, VkPhysicalDevice device,
                                      std::uint32_t* count, VkExtensionProperties* properties) {
  std::uint32_t all_count = 0;
  if (const VkResult result = next(device, nullptr, &all_count, nullptr); result != VK_SUCCESS) return result;
  std::vector<VkExtensionProperties> all(all_count);
  if (const VkResult result = next(device, nullptr, &all_count, all.data()); result < 0) return result;
  all.resize(all_count);
  std::erase_if(all, [](const VkExtensionProperties& each) {
    return std::any_of(std::begin(kHidden), std::end(kHidden),
                       [&](const Hidden& hidden) { return hidden.extension == each.extensionName; });
  });
  if (properties == nullptr) {
    *count = static_cast<std::uint32_t>(all.size());
    return VK_SUCCESS;
  }
  const std::size_t given = std::min<std::size_t>(*count, all.size());
  std::copy_n(all.begin(), given, properties);
  *count = static_cast<std::uint32_t>(given);
  return given < all.size() ? VK_INCOMPLETE : VK_SUCCESS;
}

void hide_library_features(VkPhysicalDeviceFeatures2& features) {
  for (auto* each = static_cast<VkBaseOutStructure*>(features.pNext); each != nullptr; each = each->pNext)
    for (const Hidden& hidden : kHidden)
      if (static_cast<std::uint32_t>(each->sType) == hidden.features)
        reinterpret_cast<OneFeature*>(each)->feature = VK_FALSE;
}

}  // namespace varylink::layer
