#include "formats/created_pipeline.h"

#include <algorithm>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/sha256.h"
#include "formats/chained_structures.h"
#include "formats/create_info.h"

namespace varylink::formats {
namespace {

// VkPipelineCreateFlagBits2
constexpr std::uint64_t kLibrary = 0x800, kCompileRequired = 0x100, kCaptureData = 0x80000000, kOptimized = 0x400;
constexpr std::uint64_t kIndirectBindable = 0x40000 | 0x4000000000;  // _NV, 2_EXT

constexpr std::size_t kDigits = 32;

constexpr std::string_view kTargetEnv = "--target-env";
constexpr std::pair<std::string_view, bool spirv::ValidatorOptions::*> kRelaxations[] = {
    {"--scalar-block-layout", &spirv::ValidatorOptions::scalar_block_layout},
    {"--uniform-buffer-standard-layout", &spirv::ValidatorOptions::uniform_buffer_standard_layout},
    {"--relax-block-layout", &spirv::ValidatorOptions::relax_block_layout},
    {"--allow-localsizeid", &spirv::ValidatorOptions::allow_localsizeid}};

// VK_MAKE_API_VERSION
constexpr std::uint32_t version(std::uint32_t minor) { return (1u << 22) | (minor << 12); }

}  // namespace

bool CreatedPipeline::has(Stage stage) const {
  return std::any_of(stages.begin(), stages.end(), [&](const StageCode& each) { return each.stage == stage; });
}

bool CreationFacts::has(LibraryPart part) const {
  return library_parts ? (*library_parts & static_cast<std::uint32_t>(part)) != 0 : (flags & kLibrary) == 0;
}

bool CreationFacts::only_if_known() const { return (flags & kCompileRequired) != 0; }

std::string CreationFacts::why_not() const {
  const bool is_whole = has(LibraryPart::pre_rasterization) && has(LibraryPart::fragment_shader);
  if (!is_whole && ((flags & kLibrary) != 0 || library_count == 0))
    return "it is a part of a pipeline (a pipeline library)";
  if ((flags & kIndirectBindable) != 0) return "device-generated commands may change its shaders";
  if ((flags & kCaptureData) != 0) return "the program takes pipeline binaries from it";
  // An optimized one could be made whole of what its libraries were made of. A fast one has to be there at once.
  if (library_count != 0)
    return (flags & kOptimized) != 0 ? "it is made of pipeline libraries, and optimized by the driver"
                                     : "it is made of pipeline libraries";
  if (taken_away_by_flags(flags).has(Assumption::stages)) return "it has flags that change what its stages mean";
  return {};
}

std::string why_not_linked(const CreatedPipeline& pipeline) {
  if (pipeline.stages.size() < 2) return "it has one stage";
  if (!pipeline.has(Stage::vertex) && !pipeline.has(Stage::mesh)) return "it has no first stage";
  return {};
}

std::string key_of(const CreatedPipeline& pipeline, const spirv::ValidatorOptions& target) {
  Sha256 hash;
  for (const std::string& text : {options_text(target), description_text(pipeline.description)}) {
    hash.add(std::uint64_t{text.size()});
    hash.add(std::string_view(text));
  }
  hash.add(std::uint64_t{pipeline.stages.size()});
  for (const CreatedPipeline::StageCode& stage : pipeline.stages) {
    hash.add(static_cast<std::uint64_t>(stage.stage));
    hash.add(std::uint64_t{stage.words->size()});
    hash.add(std::span<const std::uint32_t>(*stage.words));
  }
  return hash.hex().substr(0, kDigits);
}

spirv::TargetEnv environment_of(std::uint32_t api_version, bool has_spirv_1_4) {
  if (api_version >= version(3)) return spirv::TargetEnv::vulkan1_3;
  if (api_version >= version(2)) return spirv::TargetEnv::vulkan1_2;
  if (api_version >= version(1))
    return has_spirv_1_4 ? spirv::TargetEnv::vulkan1_1_spirv1_4 : spirv::TargetEnv::vulkan1_1;
  return spirv::TargetEnv::vulkan1_0;
}

spirv::ValidatorOptions joined(spirv::ValidatorOptions one, const spirv::ValidatorOptions& other) {
  one.env = std::max(one.env, other.env);
  for (const auto& [option, relaxation] : kRelaxations) one.*relaxation |= other.*relaxation;
  return one;
}

std::string module_file(const Words& words, Stage stage) {
  return "modules/" + content_hash(words).substr(0, kDigits) + "." + std::string(short_name(stage)) + ".spv";
}

std::string options_text(const spirv::ValidatorOptions& target) {
  std::string text = std::string(kTargetEnv) + " " + std::string(spirv::name_of(target.env)) + "\n";
  for (const auto& [option, relaxation] : kRelaxations)
    if (target.*relaxation) text += std::string(option) + "\n";
  return text;
}

spirv::ValidatorOptions options_in(const std::string& text) {
  spirv::ValidatorOptions target;
  target.env = spirv::TargetEnv::vulkan1_0;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == kTargetEnv && words >> word) target.env = spirv::target_env_from_name(word).value_or(target.env);
    for (const auto& [option, relaxation] : kRelaxations)
      if (word == option) target.*relaxation = true;
  }
  return target;
}

}  // namespace varylink::formats
