// The part of a VkGraphicsPipelineCreateInfo that Varylink uses, in the words of the files that describe pipelines:
// Vulkan's enumerants without prefix. Readers of such files fill it; state_of() draws the conclusions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/chained_structures.h"
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
    std::string format;  // empty: not known here
  };
  std::vector<Attribute> attributes;
  std::map<std::uint32_t, bool> binding_is_per_instance;  // by number
  std::string topology;                                   // "TRIANGLE_LIST"; empty: not known
  std::optional<std::uint32_t> patch_control_points, samples, view_mask;
  std::optional<bool> rasterizer_discard, sample_shading, alpha_to_coverage;
  std::string provoking_vertex;                           // "LAST_VERTEX_EXT"; empty: not known
  std::string polygon_mode;                               // "FILL"; empty: not known
  std::optional<std::vector<std::string>> color_formats;  // by attachment; "UNDEFINED": unused, empty: not known
  std::vector<std::uint32_t> write_masks;                 // by attachment; those behind the end are not known
  std::string depth_format, stencil_format;               // "UNDEFINED": there is none; empty: not known
  std::vector<std::string> dynamic_states;
  // By chained attachment locations: the location of each attachment, ~0 for one that no output reaches.
  std::optional<std::vector<std::uint32_t>> attachment_locations;
  // Facts that chained structures and flags contradict.
  Assumptions taken_away;
};

// The facts for linking. Formats without a name here are left out: nothing is assumed about them. With an unknown
// dynamic state nothing is assumed at all.
state::PipelineState state_of(const CreateInfo& info);

// The depth and the stencil format of an attachment with the format `name`.
std::string depth_part(const std::string& name);
std::string stencil_part(const std::string& name);

// Values of the module's specialization constants, as a manifest has them. Left out, so that the constant stays open: a
// value that JSON has no number for (an infinity, a half float), and an entry that does not fit the data or the type.
// None for an invalid module; linking reports its fault.
spirv::SpecializationValues values_of(const SpecializationData& data, std::span<const std::uint32_t> module);

// VkShaderStageFlagBits. None unless a stage of graphics pipelines.
std::optional<Stage> stage_of_flag(std::uint32_t flag);
// The stages of a mask, in their order.
std::vector<Stage> stages_of_mask(std::uint32_t mask);

// Base64 with padding. None for other text.
std::optional<std::string> decode_base64(std::string_view text);

// The manifest line of `description`; paths are those of the stages' files. Equal descriptions give equal lines.
// Without an end of line.
std::string manifest_line(const std::string& name, const link::PipelineDescription& description);
// The same without a name, as the library takes it (varylink_pipeline_info::state). Stages without a file name none.
std::string description_text(const link::PipelineDescription& description);

}  // namespace varylink::formats
