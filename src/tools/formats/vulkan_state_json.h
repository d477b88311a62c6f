// States of pipelines, render passes and layouts from JSON with the names of Vulkan's C headers (vulkan_json.h), into
// the create info that all formats share. Members that are not there stay unknown.
#pragma once

#include <cstdint>

#include "base/strict_json.h"
#include "formats/create_info.h"
#include "link/model/pipeline_layout.h"

namespace varylink::formats {

// VkPipelineVertexInputStateCreateInfo.
void read_vertex_input(const StrictJson& input, CreateInfo& info);
// VkPipelineMultisampleStateCreateInfo.
void read_samples(const StrictJson& samples, CreateInfo& info);
// The chain of a VkPipelineRasterizationStateCreateInfo.
void read_provoking_vertex(const StrictJson& rasterization, CreateInfo& info);
// VkPipelineColorBlendStateCreateInfo.
void read_write_masks(const StrictJson& blend, CreateInfo& info);
// pDynamicState of a VkGraphicsPipelineCreateInfo.
void read_dynamic_states(const StrictJson& pipeline, CreateInfo& info);
// VkPipelineRenderingCreateInfo.
void read_dynamic_rendering(const StrictJson& rendering, CreateInfo& info);
// One subpass of a VkRenderPassCreateInfo or VkRenderPassCreateInfo2; complains if there is none with that number.
void read_subpass(const StrictJson& pass, std::uint32_t index, CreateInfo& info);

// VkSpecializationInfo without its data.
SpecializationData read_map_entries(const StrictJson& specialization);

// Adds the bindings of a VkDescriptorSetLayoutCreateInfo as those of `set`.
void read_bindings(const StrictJson& set_layout, std::uint32_t set, link::PipelineLayout& layout);
// Adds the ranges of a VkPipelineLayoutCreateInfo.
void read_push_constants(const StrictJson& pipeline_layout, link::PipelineLayout& layout);

}  // namespace varylink::formats
