// A graphics pipeline as a program creates it, as far as linking has use for it, seen by the layer or held by a
// capture. One set of words says why such a pipeline is passed through, and one key names it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "link/model/pipeline_description.h"
#include "spirv/ir/stage.h"
#include "spirv/tools/tools.h"

namespace varylink::formats {

using Words = std::vector<std::uint32_t>;

struct CreatedPipeline {
  struct StageCode {
    Stage stage = Stage::vertex;
    std::string entry_point;
    std::shared_ptr<const Words> words;
    std::shared_ptr<const spirv::Module> read = {};  // as link::StageInput has it
  };

  std::vector<StageCode> stages;  // in the order of the create info
  // Of these stages; they name no files. States that are dynamic or ignored are not in it.
  link::PipelineDescription description;
  // Why the pipeline goes to the driver as it came; empty if it is for linking. Equal for equal reasons: reports count
  // them.
  std::string why_not;
  // Only what is known already may be done (VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT).
  bool only_if_known = false;

  bool has(Stage stage) const;
};

// VkGraphicsPipelineLibraryFlagBitsEXT.
enum class LibraryPart : std::uint32_t {
  vertex_input = 1,
  pre_rasterization = 2,
  fragment_shader = 4,
  fragment_output = 8
};

// Flags and libraries of a create info.
struct CreationFacts {
  std::uint64_t flags = 0;                     // VkPipelineCreateFlags2
  std::optional<std::uint32_t> library_parts;  // VkGraphicsPipelineLibraryCreateInfoEXT::flags
  std::uint32_t library_count = 0;             // VkPipelineLibraryCreateInfoKHR::libraryCount

  // A library has the state of its parts only, and ignores the rest. One with all shaders is linked inside.
  bool has(LibraryPart part) const;
  bool only_if_known() const;
  // Empty if stages and state are those of the whole pipeline.
  std::string why_not() const;
};

// Why pipelines with these stages are not for linking; empty if they may be.
std::string why_not_linked(const CreatedPipeline& pipeline);

// Reasons that readers give.
constexpr const char* kStageTwice = "it has a stage twice";
constexpr const char* kUnknownStage = "it has a stage that is not known here";
constexpr const char* kUnknownCode = "the code of a stage is not known";
constexpr const char* kUnknownRenderPass = "its render pass is not known";
constexpr const char* kDynamicStream = "the stream that it rasterizes is a dynamic state";
// Code that moves to another stage reads memory as that stage does.
constexpr const char* kDifferingRobustness = "its stages differ in robustness";

// Equal for pipelines with equal words and state, for one target: 32 hexadecimal digits. They are named so in
// manifests.
std::string key_of(const CreatedPipeline& pipeline, const spirv::ValidatorOptions& target);

// Where the modules of a device run that has this version (as in Vulkan; the lower of those of instance and device),
// and whether VK_KHR_spirv_1_4 is enabled.
spirv::TargetEnv environment_of(std::uint32_t api_version, bool has_spirv_1_4);

// Options that take the modules of both devices: the newer version, and the layouts of either.
spirv::ValidatorOptions joined(spirv::ValidatorOptions one, const spirv::ValidatorOptions& other);

// The file of a module beside a manifest of such pipelines: "modules/<hash>.vert.spv".
std::string module_file(const Words& words, Stage stage);

// Options of the command line that say what the device takes, one a line.
std::string options_text(const spirv::ValidatorOptions& target);
// The way back. Other options in the text are ignored.
spirv::ValidatorOptions options_in(const std::string& text);

}  // namespace varylink::formats
