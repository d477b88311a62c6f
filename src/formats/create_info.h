// A VkGraphicsPipelineCreateInfo as far as Varylink has use for it, in the words of the files that describe pipelines:
// Vulkan's enumerants without prefix. Readers of such files fill it, and one place says what follows from it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "link/model/pipeline_description.h"

namespace varylink::formats {

// VkSpecializationInfo.
struct SpecializationData {
  struct Entry {  // VkSpecializationMapEntry
    std::uint32_t id = 0, offset = 0;
    std::uint64_t size = 0;
  };
  std::vector<Entry> entries;
  std::string bytes;  // pData
};

struct CreateInfo {
  struct Attribute {
    std::uint32_t location = 0, binding = 0;
    std::string format;  // empty: none that has a name here
  };
  std::vector<Attribute> attributes;
  std::map<std::uint32_t, bool> binding_is_per_instance;  // by number
  std::string topology;                                   // "TRIANGLE_LIST"; empty: not known
  std::optional<std::uint32_t> patch_control_points, samples, view_mask;
  std::optional<bool> rasterizer_discard, sample_shading, alpha_to_coverage;
  std::string provoking_vertex;                           // "LAST_VERTEX_EXT"; empty: not known
  std::optional<std::vector<std::string>> color_formats;  // by location; "UNDEFINED": unused, empty: not known
  std::vector<std::uint32_t> write_masks;                 // by location; those behind the end are not known
  std::string depth_format, stencil_format;               // "UNDEFINED": there is none; empty: not known
  std::vector<std::string> dynamic_states;
  // Samples have places of their own, or fragments may be larger than a pixel: then even one sample need not be where
  // inputs without qualifier are interpolated to.
  bool samples_may_move = false;
};

// What follows for linking. Formats and dynamic states that Varylink has no name for are left out: nothing is assumed
// about them.
analysis::PipelineState state_of(const CreateInfo& info);

// The depth and the stencil format of an attachment with the format `name`.
std::string depth_part(const std::string& name);
std::string stencil_part(const std::string& name);

// The values of the constants that a module declares, as a manifest says them. A value that JSON has no number for (an
// infinity, a half float), or whose entry does not fit the data or the type, is left out: its constant stays one. Those
// of a module that is not valid are none; linking says what is wrong with it.
spirv::SpecializationValues values_of(const SpecializationData& data, std::span<const std::uint32_t> module);

// VkShaderStageFlagBits. None for what is no stage of a graphics pipeline, such as compute.
std::optional<Stage> stage_of_flag(std::uint32_t flag);
// The stages of a mask, in their order.
std::vector<Stage> stages_of_mask(std::uint32_t mask);

// Base64 with padding. None for other text.
std::optional<std::string> decode_base64(std::string_view text);

// The line of a manifest that says `description`; paths are those of the stages' files. Equal descriptions give equal
// lines. Without an end of line.
std::string manifest_line(const std::string& name, const link::PipelineDescription& description);

}  // namespace varylink::formats
