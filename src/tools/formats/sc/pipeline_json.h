// Pipelines in the JSON form of Vulkan SC, which offline pipeline compilers take: the schema vkpcc.json of the Vulkan
// SC headers, and the output of their generator for the types of vk.json. One file is one pipeline, and names its
// modules.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/json_text.h"
#include "link/model/pipeline_description.h"

namespace varylink::formats::sc {

// An element of ShaderFileNames.
struct ShaderFile {
  std::optional<Stage> stage;  // none: no stage of a graphics pipeline
  std::string short_name;      // of the stage, "comp" for compute
  std::string name;            // as written
  JsonPath place;              // of the name
};

struct PipelineJson {
  std::string text;
  std::vector<ShaderFile> shaders;
  link::PipelineDescription description;  // the stages' files are ShaderFile::name
  std::string why_not;                    // why it is not for linking, such as compute; then there is no description
};

// True if the text is a JSON object with GraphicsPipelineState or ComputePipelineState, whatever else may be wrong.
bool is_pipeline_json(std::string_view text);

// The bytes of the module with that name; none if they cannot be read. It is asked where a stage has specialization
// data.
using ReadModule = std::function<std::optional<std::string>(const std::string& name)>;

// Errors (usage) name `file` with line and column: text that is no JSON, members of other types than the schema says,
// and contradictions (a stage without a file, a subpass that is not there).
Result<PipelineJson> parse_pipeline_json(std::string text, const std::string& file, const ReadModule& read_module);

// The same text with other file names, one for each of `shaders`.
std::string with_shader_names(const PipelineJson& pipeline, std::span<const std::string> names);

}  // namespace varylink::formats::sc
