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

void Understanding::add(const Understanding& other) {
  taken_away |= other.taken_away;
  if (why_not.empty()) why_not = other.why_not;
}

void Understanding::add_chain(const void* chain) {
  for (const auto* each = static_cast<const VkBaseInStructure*>(chain); each != nullptr; each = each->pNext) {
    const std::uint32_t type = type_of(*each);
    if (std::find(std::begin(kReadHere), std::end(kReadHere), type) != std::end(kReadHere)) continue;
    const formats::ChainedStructure* known = formats::chained_structure(type);
    if (known == nullptr)
      return add({{}, "it has a structure that is not known here, of type " + std::to_string(type)});
    taken_away |= known->takes_away;
    if (known->takes_away.has(formats::Assumption::stages))
      return add({{}, "it has a structure that changes what its stages mean: " + std::string(known->name)});
  }
}

}  // namespace varylink::layer
