#include "state/dynamic_states.h"

#include <algorithm>

namespace varylink::state {
namespace {

const std::vector<std::string> kDynamicStates = {"ALPHA_TO_COVERAGE_ENABLE_EXT",
                                                 "ALPHA_TO_ONE_ENABLE_EXT",
                                                 "ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT",
                                                 "BLEND_CONSTANTS",
                                                 "COLOR_BLEND_ADVANCED_EXT",
                                                 "COLOR_BLEND_ENABLE_EXT",
                                                 "COLOR_BLEND_EQUATION_EXT",
                                                 "COLOR_WRITE_ENABLE_EXT",
                                                 "COLOR_WRITE_MASK_EXT",
                                                 "CONSERVATIVE_RASTERIZATION_MODE_EXT",
                                                 "COVERAGE_MODULATION_MODE_NV",
                                                 "COVERAGE_MODULATION_TABLE_ENABLE_NV",
                                                 "COVERAGE_MODULATION_TABLE_NV",
                                                 "COVERAGE_REDUCTION_MODE_NV",
                                                 "COVERAGE_TO_COLOR_ENABLE_NV",
                                                 "COVERAGE_TO_COLOR_LOCATION_NV",
                                                 "CULL_MODE",
                                                 "DEPTH_BIAS",
                                                 "DEPTH_BIAS_ENABLE",
                                                 "DEPTH_BOUNDS",
                                                 "DEPTH_BOUNDS_TEST_ENABLE",
                                                 "DEPTH_CLAMP_ENABLE_EXT",
                                                 "DEPTH_CLAMP_RANGE_EXT",
                                                 "DEPTH_CLIP_ENABLE_EXT",
                                                 "DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT",
                                                 "DEPTH_COMPARE_OP",
                                                 "DEPTH_TEST_ENABLE",
                                                 "DEPTH_WRITE_ENABLE",
                                                 "DISCARD_RECTANGLE_ENABLE_EXT",
                                                 "DISCARD_RECTANGLE_EXT",
                                                 "DISCARD_RECTANGLE_MODE_EXT",
                                                 "EXCLUSIVE_SCISSOR_ENABLE_NV",
                                                 "EXCLUSIVE_SCISSOR_NV",
                                                 "EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT",
                                                 "FRAGMENT_SHADING_RATE_KHR",
                                                 "FRONT_FACE",
                                                 "LINE_RASTERIZATION_MODE_EXT",
                                                 "LINE_STIPPLE_ENABLE_EXT",
                                                 "LINE_STIPPLE_EXT",
                                                 "LINE_WIDTH",
                                                 "LOGIC_OP_ENABLE_EXT",
                                                 "LOGIC_OP_EXT",
                                                 "PATCH_CONTROL_POINTS_EXT",
                                                 "POLYGON_MODE_EXT",
                                                 "PRIMITIVE_RESTART_ENABLE",
                                                 "PRIMITIVE_TOPOLOGY",
                                                 "PROVOKING_VERTEX_MODE_EXT",
                                                 "RASTERIZATION_SAMPLES_EXT",
                                                 "RASTERIZATION_STREAM_EXT",
                                                 "RASTERIZER_DISCARD_ENABLE",
                                                 "REPRESENTATIVE_FRAGMENT_TEST_ENABLE_NV",
                                                 "SAMPLE_LOCATIONS_ENABLE_EXT",
                                                 "SAMPLE_LOCATIONS_EXT",
                                                 "SAMPLE_MASK_EXT",
                                                 "SCISSOR",
                                                 "SCISSOR_WITH_COUNT",
                                                 "SHADING_RATE_IMAGE_ENABLE_NV",
                                                 "STENCIL_COMPARE_MASK",
                                                 "STENCIL_OP",
                                                 "STENCIL_REFERENCE",
                                                 "STENCIL_TEST_ENABLE",
                                                 "STENCIL_WRITE_MASK",
                                                 "TESSELLATION_DOMAIN_ORIGIN_EXT",
                                                 "VERTEX_INPUT_BINDING_STRIDE",
                                                 "VERTEX_INPUT_EXT",
                                                 "VIEWPORT",
                                                 "VIEWPORT_COARSE_SAMPLE_ORDER_NV",
                                                 "VIEWPORT_SHADING_RATE_PALETTE_NV",
                                                 "VIEWPORT_SWIZZLE_NV",
                                                 "VIEWPORT_WITH_COUNT",
                                                 "VIEWPORT_W_SCALING_ENABLE_NV",
                                                 "VIEWPORT_W_SCALING_NV"};

}  // namespace

const std::vector<std::string>& dynamic_state_names() { return kDynamicStates; }

bool moves_samples(std::string_view state) {
  constexpr std::string_view kParts[] = {"FRAGMENT_SHADING_RATE", "SHADING_RATE_IMAGE", "SHADING_RATE_PALETTE",
                                         "FRAGMENT_DENSITY_MAP",  "SAMPLE_LOCATIONS",   "CONSERVATIVE_RASTERIZATION"};
  return std::any_of(std::begin(kParts), std::end(kParts),
                     [&](std::string_view part) { return state.find(part) != std::string_view::npos; });
}

}  // namespace varylink::state
