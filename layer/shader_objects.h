// VK_EXT_shader_object.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstddef>
#include <cstdint>

#include "records.h"
#include "shader_object_api.h"

namespace varylink::layer {

// As Vulkan has it. Graphics shaders with LINK_STAGE of one call are bound together, and are linked as a pipeline is.
VkResult create_shader_objects(Device& device, std::uint32_t count, const ShaderCreateInfo* infos,
                               const VkAllocationCallbacks* allocator, ShaderObject* shaders);
void destroy_shader_object(Device& device, ShaderObject shader, const VkAllocationCallbacks* allocator);
// Of a linked shader it gives the binary of the program's own, never linked code.
VkResult get_shader_object_binary(Device& device, ShaderObject shader, std::size_t* size, void* data);

}  // namespace varylink::layer
