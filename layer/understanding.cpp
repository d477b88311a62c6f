#include "understanding.h"

#include <vulkan/vulkan_core.h>

#include <algorithm>
#include <iterator>

#include "chain.h"

namespace varylink::layer {
namespace {

constexpr std::uint32_t kReadHere[] = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                       VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
                                       VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT};

}  // namespace

void Understanding::add_chain(const void* chain) {
  for (const auto* each = static_cast<const VkBaseInStructure*>(chain); each != nullptr; each = each->pNext) {
    const std::uint32_t type = type_of(*each);
    if (std::find(std::begin(kReadHere), std::end(kReadHere), type) != std::end(kReadHere)) continue;
    add_structure(formats::chained_structure(type), std::to_string(type));
  }
}

}  // namespace varylink::layer
