// vkCreateGraphicsPipelines.
#pragma once

#include <vulkan/vulkan_core.h>

#include "records.h"

namespace varylink::layer {

// As Vulkan has it. Pipelines that can be linked are created of linked modules; if the driver does not take these, all
// are created as the program wants them. Nothing that goes wrong here is seen by the program.
VkResult create_graphics_pipelines(Device& device, VkPipelineCache cache, std::uint32_t count,
                                   const VkGraphicsPipelineCreateInfo* infos, const VkAllocationCallbacks* allocator,
                                   VkPipeline* pipelines);

}  // namespace varylink::layer
