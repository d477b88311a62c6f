// The pipeline layout as the application states it: which stages can read which uniform buffers and push constants.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "spirv/ir/stage.h"

namespace varylink {
class StrictJson;
}

namespace varylink::link {

struct PipelineLayout {
  struct Binding {  // VkDescriptorSetLayoutBinding
    std::uint32_t set = 0, binding = 0;
    std::vector<Stage> stages;
  };
  struct PushConstantRange {             // VkPushConstantRange
    std::uint32_t offset = 0, size = 0;  // bytes
    std::vector<Stage> stages;
  };
  std::vector<Binding> bindings;
  std::vector<PushConstantRange> push_constants;

  bool reaches(Stage stage, std::uint32_t set, std::uint32_t binding) const;
  // One range gives these bytes to both stages. Two ranges could have different values (rule ).
  bool shares_push_constant(Stage a, Stage b, std::uint32_t offset, std::uint64_t size = 4) const;
};

// The bindings and ranges that both have.
PipelineLayout common(const PipelineLayout& a, const PipelineLayout& b);

// Reads {"bindings": [{"set": 0, "binding": 1, "stages": ["vert", "frag"]}],
//        "pushConstants": [{"offset": 0, "size": 64, "stages": ["vert", "frag"]}]}.
// Error: usage, naming `file`, also for members with other names.
Result<PipelineLayout> parse_layout(std::string_view json, const std::string& file);
// The same for a part of a text.
PipelineLayout read_layout(const StrictJson& json);

// One line, equal for equal layouts: "0.1 vert frag; push 0+64 vert frag".
std::string text(const PipelineLayout& layout);
// Empty for none.
std::string text(const std::optional<PipelineLayout>& layout);

// "VK_SHADER_STAGE_FRAGMENT_BIT"
std::string stage_flag(Stage stage);

}  // namespace varylink::link
