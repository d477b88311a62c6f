// A graphics pipeline of a capture, as the layer reads one from a running program.
#pragma once

#include <set>
#include <vector>

#include "base/strict_json.h"
#include "formats/created_pipeline.h"
#include "formats/gfxreconstruct/captured_objects.h"

namespace varylink::formats::gfxreconstruct {

struct CapturedPipeline {
  CreatedPipeline pipeline;
  std::string key;                    // empty if it is passed through
  spirv::ValidatorOptions target;     // of its device
  std::vector<Handle> stage_modules;  // of pipeline.stages
  std::set<Handle> modules;           // all that the create info names, understood or not
};

// `info` is a VkGraphicsPipelineCreateInfo. Converters do not say the data of specialization constants: these stay
// open. Never fails: a pipeline that cannot be read is passed through.
CapturedPipeline read_captured_pipeline(const nlohmann::json& info, const CapturedObjects& objects,
                                        const spirv::ValidatorOptions& target);

// Values of "module" anywhere in a create info.
std::set<Handle> modules_named_in(const nlohmann::json& info);

}  // namespace varylink::formats::gfxreconstruct
