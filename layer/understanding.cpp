#include "understanding.h"

#include <vulkan/vulkan_core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "chain.h"

namespace varylink::layer {
namespace {

constexpr std::uint32_t kReadHere[] = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                       VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
                                       VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT};

// Structures with formats::ChainedStructure::unless_0, and where that member stands: they are often there and say
// nothing.
struct Unless0 {
  std::uint32_t type;
  std::size_t offset;  // of 32 bits
};
constexpr Unless0 kUnless0[] = {
    {VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT,
     offsetof(VkPipelineRasterizationStateStreamCreateInfoEXT, rasterizationStream)},
    {VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT,
     offsetof(VkPipelineRasterizationConservativeStateCreateInfoEXT, conservativeRasterizationMode)},
    {VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT,
     offsetof(VkPipelineSampleLocationsStateCreateInfoEXT, sampleLocationsEnable)},
    {VK_STRUCTURE_TYPE_PIPELINE_COVERAGE_TO_COLOR_STATE_CREATE_INFO_NV,
     offsetof(VkPipelineCoverageToColorStateCreateInfoNV, coverageToColorEnable)},
    {VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SHADING_RATE_IMAGE_STATE_CREATE_INFO_NV,
     offsetof(VkPipelineViewportShadingRateImageStateCreateInfoNV, shadingRateImageEnable)},
    {VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT,
     offsetof(VkMultisampledRenderToSingleSampledInfoEXT, multisampledRenderToSingleSampledEnable)},
};

bool says_nothing(const VkBaseInStructure& structure) {
  const auto found = std::find_if(std::begin(kUnless0), std::end(kUnless0),
                                  [&](const Unless0& each) { return each.type == type_of(structure); });
  if (found == std::end(kUnless0)) return false;
  std::uint32_t value = 0;
  std::memcpy(&value, reinterpret_cast<const std::byte*>(&structure) + found->offset, sizeof value);
  return value == 0;
}

}  // namespace

void Understanding::add_chain(const void* chain) {
  for (const auto* each = static_cast<const VkBaseInStructure*>(chain); each != nullptr; each = each->pNext) {
    const std::uint32_t type = type_of(*each);
    if (std::find(std::begin(kReadHere), std::end(kReadHere), type) != std::end(kReadHere) || says_nothing(*each))
      continue;
    add_structure(formats::chained_structure(type), std::to_string(type));
  }
}

}  // namespace varylink::layer
