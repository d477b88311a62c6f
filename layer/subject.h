// A graphics pipeline or a set of shader objects that the program asks for, as far as linking has use for it.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "formats/created_pipeline.h"
#include "objects.h"
#include "shader_object_api.h"

namespace varylink::layer {

using Subject = formats::CreatedPipeline;

// A create info of one stage, without its code.
struct StageInfo {
  std::uint32_t flag;  // VkShaderStageFlagBits
  const char* entry_point;
  const VkSpecializationInfo* specialization;
};
// Says in `why_not` if it cannot be; null words: the code is not known.
void add_stage(Subject& subject, const StageInfo& info, std::shared_ptr<const Words> words);

// Why the structures of a stage's chain cannot all be copied; empty if they can. `size_of`: bytes by type, 0 for those
// that are not copied.
std::string structure_not_copied(const void* chain, std::size_t (*size_of)(std::uint32_t type));

// Reads what Vulkan lets a driver read: states that are ignored may be pointers to nowhere.
Subject read_subject(const VkGraphicsPipelineCreateInfo& info, const Objects& objects);

// Shader objects that were created in one call with LINK_STAGE, and so are bound together or not at all.
Subject read_subject(const std::vector<const ShaderCreateInfo*>& set, Objects& objects);
// The stages of create infos, and why they are left alone.
Subject left_alone(const std::vector<const ShaderCreateInfo*>& infos, std::string why_not);

// The bytes of a structure that may stand in the chain of a stage beside its code; 0 for others.
std::size_t size_in_stage_chain(std::uint32_t structure_type);
// The same of a shader object: such structures hold no pointers, for they are kept.
std::size_t size_in_shader_chain(std::uint32_t structure_type);

}  // namespace varylink::layer
