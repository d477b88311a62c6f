// A graphics pipeline that the program asks for, as far as linking has use for it.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstddef>
#include <cstdint>

#include "formats/created_pipeline.h"
#include "objects.h"

namespace varylink::layer {

using Subject = formats::CreatedPipeline;

// Reads what Vulkan lets a driver read: states that are ignored may be pointers to nowhere.
Subject read_subject(const VkGraphicsPipelineCreateInfo& info, const Objects& objects);

// The bytes of a structure that may stand in the chain of a stage beside its code; 0 for others.
std::size_t size_in_stage_chain(std::uint32_t structure_type);

}  // namespace varylink::layer
