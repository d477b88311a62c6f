// A graphics pipeline that the program asks for, as far as linking has use for it.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "link/model/pipeline_description.h"
#include "objects.h"
#include "spirv/ir/stage.h"

namespace varylink::layer {

struct Subject {
  struct StageCode {
    Stage stage = Stage::vertex;
    std::string entry_point;
    std::shared_ptr<const Words> words;
  };

  std::vector<StageCode> stages;  // in the order of the create info
  // Of these stages; they name no files. What is dynamic or ignored is not in it.
  link::PipelineDescription description;
  // Why the pipeline goes to the driver as it came; empty if it is for linking. Equal for equal reasons: reports count
  // them.
  std::string why_not;
  // Only what is known already may be done (VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT).
  bool only_if_known = false;
};

// Reads what Vulkan lets a driver read: states that are ignored may be pointers to nowhere.
Subject read_subject(const VkGraphicsPipelineCreateInfo& info, const Objects& objects);

// The bytes of a structure that may stand in the chain of a stage beside its code; 0 for others.
std::size_t size_in_stage_chain(std::uint32_t structure_type);

}  // namespace varylink::layer
