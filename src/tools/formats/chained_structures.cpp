#include "formats/chained_structures.h"

#include <algorithm>
#include <iterator>

namespace varylink::formats {
namespace {

constexpr Assumptions kNothing;
constexpr Assumptions kSamples = Assumption::samples, kAttachments = Assumption::attachments,
                      kViews = Assumption::views, kStages = Assumption::stages;

// In the order of their numbers. tests/formats/registry.py holds the list to the registry.
constexpr ChainedStructure kStructures[] = {
    {16, "SHADER_MODULE_CREATE_INFO", kStages, ""},
    {1000018000, "PIPELINE_RASTERIZATION_STATE_RASTERIZATION_ORDER_AMD", kNothing, ""},
    {1000028002, "PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO", kStages, "rasterizationStream"},
    {1000044002, "PIPELINE_RENDERING_CREATE_INFO", kNothing, ""},
    {1000044008, "ATTACHMENT_SAMPLE_COUNT_INFO_AMD", kSamples, ""},
    {1000044009, "MULTIVIEW_PER_VIEW_ATTRIBUTES_INFO_NVX", kViews, ""},
    {1000053000, "RENDER_PASS_MULTIVIEW_CREATE_INFO", kNothing, ""},
    {1000068000, "PIPELINE_ROBUSTNESS_CREATE_INFO", kNothing, ""},
    {1000087000, "PIPELINE_VIEWPORT_W_SCALING_STATE_CREATE_INFO_NV", kNothing, ""},
    {1000098000, "PIPELINE_VIEWPORT_SWIZZLE_STATE_CREATE_INFO_NV", kNothing, ""},
    {1000099001, "PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO", kNothing, ""},
    {1000101001, "PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO", kSamples, "conservativeRasterizationMode"},
    {1000102001, "PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO", kNothing, ""},
    {1000117001, "RENDER_PASS_INPUT_ATTACHMENT_ASPECT_CREATE_INFO", kNothing, ""},
    {1000117003, "PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO", kNothing, ""},
    {1000128000, "DEBUG_UTILS_OBJECT_NAME_INFO", kNothing, ""},
    {1000129005, "EXTERNAL_FORMAT_ANDROID", kAttachments, "externalFormat"},
    {1000134004, "PIPELINE_SHADER_STAGE_NODE_CREATE_INFO_AMDX", kStages, ""},
    {1000135006, "SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO", kStages, ""},
    {1000143002, "PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO", kSamples, "sampleLocationsEnable"},
    {1000148002, "PIPELINE_COLOR_BLEND_ADVANCED_STATE_CREATE_INFO", kNothing, ""},
    {1000149000, "PIPELINE_COVERAGE_TO_COLOR_STATE_CREATE_INFO_NV", kAttachments, "coverageToColorEnable"},
    {1000152000, "PIPELINE_COVERAGE_MODULATION_STATE_CREATE_INFO_NV", kNothing, ""},
    {1000160001, "SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO", kNothing, ""},
    {1000161000, "DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO", kNothing, ""},
    {1000164000, "PIPELINE_VIEWPORT_SHADING_RATE_IMAGE_STATE_CREATE_INFO_NV", kSamples, "shadingRateImageEnable"},
    {1000164005, "PIPELINE_VIEWPORT_COARSE_SAMPLE_ORDER_STATE_CREATE_INFO_NV", kSamples, ""},
    {1000166001, "PIPELINE_REPRESENTATIVE_FRAGMENT_TEST_STATE_CREATE_INFO_NV", kNothing, ""},
    {1000183000, "PIPELINE_COMPILER_CONTROL_CREATE_INFO_AMD", kNothing, ""},
    {1000190001, "PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO", kNothing, ""},
    {1000192000, "PIPELINE_CREATION_FEEDBACK_CREATE_INFO", kNothing, ""},
    {1000199001, "SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE", kNothing, ""},
    {1000205000, "PIPELINE_VIEWPORT_EXCLUSIVE_SCISSOR_STATE_CREATE_INFO_NV", kNothing, ""},
    {1000218002, "RENDER_PASS_FRAGMENT_DENSITY_MAP_CREATE_INFO", kSamples, ""},
    {1000225001, "PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO", kNothing, ""},
    {1000226000, "FRAGMENT_SHADING_RATE_ATTACHMENT_INFO", kSamples, ""},
    {1000226001, "PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO", kSamples, ""},
    {1000232001, "RENDERING_ATTACHMENT_LOCATION_INFO", kNothing, ""},
    {1000232002, "RENDERING_INPUT_ATTACHMENT_INDEX_INFO", kNothing, ""},
    {1000241001, "ATTACHMENT_REFERENCE_STENCIL_LAYOUT", kNothing, ""},
    {1000241002, "ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT", kNothing, ""},
    {1000247000, "VALIDATION_FEATURES", kNothing, ""},
    {1000250001, "PIPELINE_COVERAGE_REDUCTION_STATE_CREATE_INFO_NV", kNothing, ""},
    {1000254001, "PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO", kNothing, ""},
    {1000259001, "PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO", kNothing, ""},
    {1000277002, "GRAPHICS_PIPELINE_SHADER_GROUPS_CREATE_INFO_NV", kStages, ""},
    {1000283002, "DEPTH_BIAS_REPRESENTATION_INFO", kNothing, ""},
    {1000290000, "PIPELINE_LIBRARY_CREATE_INFO", kStages, ""},
    {1000298010, "PIPELINE_OFFLINE_CREATE_INFO", kNothing, ""},
    {1000309002, "RENDER_PASS_TILE_SHADING_CREATE_INFO_QCOM", kNothing, ""},
    {1000314000, "MEMORY_BARRIER_2", kNothing, ""},
    {1000320002, "GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO", kStages, ""},
    {1000326002, "PIPELINE_FRAGMENT_SHADING_RATE_ENUM_STATE_CREATE_INFO_NV", kSamples, ""},
    {1000351002, "MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO", kNothing, ""},
    {1000355001, "PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO", kNothing, ""},
    {1000376002, "MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO", kSamples, "multisampledRenderToSingleSampledEnable"},
    {1000381001, "PIPELINE_COLOR_WRITE_CREATE_INFO", kNothing, ""},
    {1000452005, "EXTERNAL_FORMAT_OHOS", kAttachments, "externalFormat"},
    {1000458001, "RENDER_PASS_CREATION_CONTROL", kNothing, ""},
    {1000458002, "RENDER_PASS_CREATION_FEEDBACK_CREATE_INFO", kNothing, ""},
    {1000458003, "RENDER_PASS_SUBPASS_FEEDBACK_CREATE_INFO", kNothing, ""},
    {1000462002, "PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO", kStages, ""},
    {1000470005, "PIPELINE_CREATE_FLAGS_2_CREATE_INFO", kNothing, ""},
    {1000483002, "PIPELINE_BINARY_INFO", kStages, ""},
    {1000547004, "TILE_MEMORY_SIZE_INFO_QCOM", kNothing, ""},
    {1000574002, "MEMORY_BARRIER_ACCESS_FLAGS_3", kNothing, ""},
    {1000582001, "PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO", kNothing, ""},
    {1000611002, "PIPELINE_FRAGMENT_DENSITY_MAP_LAYERED_CREATE_INFO_VALVE", kSamples, ""},
    {1000628002, "CUSTOM_RESOLVE_CREATE_INFO", kSamples | kAttachments, ""},
};

struct Flag {
  std::uint64_t bit;
  Assumptions takes_away;
};

// VIEW_INDEX_FROM_DEVICE_INDEX, RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT, RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT,
// EXECUTION_GRAPH, DESCRIPTOR_HEAP, PER_LAYER_FRAGMENT_DENSITY. The readers look at LIBRARY and DERIVATIVE.
constexpr Flag kCreationFlags[] = {{1ull << 3, kViews},   {1ull << 21, kSamples}, {1ull << 22, kSamples},
                                   {1ull << 32, kStages}, {1ull << 36, kStages},  {1ull << 40, kSamples}};
// The last one that is known not to change what is assumed.
constexpr std::uint64_t kHighestKnownFlag = 1ull << 43;

std::string_view without_suffix(std::string_view name) {
  for (const std::string_view suffix : {"_KHR", "_EXT"})
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  return name;
}

}  // namespace

std::span<const ChainedStructure> chained_structures() { return kStructures; }

const ChainedStructure* chained_structure(std::uint32_t type) {
  const auto found = std::find_if(std::begin(kStructures), std::end(kStructures),
                                  [&](const ChainedStructure& each) { return each.type == type; });
  return found == std::end(kStructures) ? nullptr : found;
}

const ChainedStructure* chained_structure(std::string_view name) {
  const auto found = std::find_if(std::begin(kStructures), std::end(kStructures),
                                  [&](const ChainedStructure& each) { return each.name == without_suffix(name); });
  return found == std::end(kStructures) ? nullptr : found;
}

Assumptions taken_away_by_flags(std::uint64_t flags) {
  Assumptions result;
  for (const Flag& flag : kCreationFlags)
    if ((flags & flag.bit) != 0) result |= flag.takes_away;
  if (flags >= kHighestKnownFlag << 1) result |= kStages;
  return result;
}

}  // namespace varylink::formats
