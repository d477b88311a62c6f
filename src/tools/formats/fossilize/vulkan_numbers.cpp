#include "formats/fossilize/vulkan_numbers.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace varylink::formats::fossilize {
namespace {

constexpr std::string_view kTopologies[] = {"POINT_LIST",
                                            "LINE_LIST",
                                            "LINE_STRIP",
                                            "TRIANGLE_LIST",
                                            "TRIANGLE_STRIP",
                                            "TRIANGLE_FAN",
                                            "LINE_LIST_WITH_ADJACENCY",
                                            "LINE_STRIP_WITH_ADJACENCY",
                                            "TRIANGLE_LIST_WITH_ADJACENCY",
                                            "TRIANGLE_STRIP_WITH_ADJACENCY",
                                            "PATCH_LIST"};

constexpr std::string_view kPolygonModes[] = {"FILL", "LINE", "POINT"};

constexpr std::pair<std::uint32_t, std::string_view> kDynamicStates[] = {
    {0, "VIEWPORT"},
    {1, "SCISSOR"},
    {2, "LINE_WIDTH"},
    {3, "DEPTH_BIAS"},
    {4, "BLEND_CONSTANTS"},
    {5, "DEPTH_BOUNDS"},
    {6, "STENCIL_COMPARE_MASK"},
    {7, "STENCIL_WRITE_MASK"},
    {8, "STENCIL_REFERENCE"},
    {1000087000, "VIEWPORT_W_SCALING_NV"},
    {1000099000, "DISCARD_RECTANGLE_EXT"},
    {1000099001, "DISCARD_RECTANGLE_ENABLE_EXT"},
    {1000099002, "DISCARD_RECTANGLE_MODE_EXT"},
    {1000143000, "SAMPLE_LOCATIONS_EXT"},
    {1000164004, "VIEWPORT_SHADING_RATE_PALETTE_NV"},
    {1000164006, "VIEWPORT_COARSE_SAMPLE_ORDER_NV"},
    {1000205000, "EXCLUSIVE_SCISSOR_ENABLE_NV"},
    {1000205001, "EXCLUSIVE_SCISSOR_NV"},
    {1000226000, "FRAGMENT_SHADING_RATE_KHR"},
    {1000259000, "LINE_STIPPLE_EXT"},
    {1000267000, "CULL_MODE"},
    {1000267001, "FRONT_FACE"},
    {1000267002, "PRIMITIVE_TOPOLOGY"},
    {1000267003, "VIEWPORT_WITH_COUNT"},
    {1000267004, "SCISSOR_WITH_COUNT"},
    {1000267005, "VERTEX_INPUT_BINDING_STRIDE"},
    {1000267006, "DEPTH_TEST_ENABLE"},
    {1000267007, "DEPTH_WRITE_ENABLE"},
    {1000267008, "DEPTH_COMPARE_OP"},
    {1000267009, "DEPTH_BOUNDS_TEST_ENABLE"},
    {1000267010, "STENCIL_TEST_ENABLE"},
    {1000267011, "STENCIL_OP"},
    {1000352000, "VERTEX_INPUT_EXT"},
    {1000377000, "PATCH_CONTROL_POINTS_EXT"},
    {1000377001, "RASTERIZER_DISCARD_ENABLE"},
    {1000377002, "DEPTH_BIAS_ENABLE"},
    {1000377003, "LOGIC_OP_EXT"},
    {1000377004, "PRIMITIVE_RESTART_ENABLE"},
    {1000381000, "COLOR_WRITE_ENABLE_EXT"},
    {1000455002, "TESSELLATION_DOMAIN_ORIGIN_EXT"},
    {1000455003, "DEPTH_CLAMP_ENABLE_EXT"},
    {1000455004, "POLYGON_MODE_EXT"},
    {1000455005, "RASTERIZATION_SAMPLES_EXT"},
    {1000455006, "SAMPLE_MASK_EXT"},
    {1000455007, "ALPHA_TO_COVERAGE_ENABLE_EXT"},
    {1000455008, "ALPHA_TO_ONE_ENABLE_EXT"},
    {1000455009, "LOGIC_OP_ENABLE_EXT"},
    {1000455010, "COLOR_BLEND_ENABLE_EXT"},
    {1000455011, "COLOR_BLEND_EQUATION_EXT"},
    {1000455012, "COLOR_WRITE_MASK_EXT"},
    {1000455013, "RASTERIZATION_STREAM_EXT"},
    {1000455014, "CONSERVATIVE_RASTERIZATION_MODE_EXT"},
    {1000455015, "EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT"},
    {1000455016, "DEPTH_CLIP_ENABLE_EXT"},
    {1000455017, "SAMPLE_LOCATIONS_ENABLE_EXT"},
    {1000455018, "COLOR_BLEND_ADVANCED_EXT"},
    {1000455019, "PROVOKING_VERTEX_MODE_EXT"},
    {1000455020, "LINE_RASTERIZATION_MODE_EXT"},
    {1000455021, "LINE_STIPPLE_ENABLE_EXT"},
    {1000455022, "DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT"},
    {1000455023, "VIEWPORT_W_SCALING_ENABLE_NV"},
    {1000455024, "VIEWPORT_SWIZZLE_NV"},
    {1000455025, "COVERAGE_TO_COLOR_ENABLE_NV"},
    {1000455026, "COVERAGE_TO_COLOR_LOCATION_NV"},
    {1000455027, "COVERAGE_MODULATION_MODE_NV"},
    {1000455028, "COVERAGE_MODULATION_TABLE_ENABLE_NV"},
    {1000455029, "COVERAGE_MODULATION_TABLE_NV"},
    {1000455030, "SHADING_RATE_IMAGE_ENABLE_NV"},
    {1000455031, "REPRESENTATIVE_FRAGMENT_TEST_ENABLE_NV"},
    {1000455032, "COVERAGE_REDUCTION_MODE_NV"},
    {1000524000, "ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT"},
    {1000582000, "DEPTH_CLAMP_RANGE_EXT"}};

template <typename Rows>
std::string find(const Rows& rows, std::uint32_t number) {
  const auto row =
      std::find_if(std::begin(rows), std::end(rows), [&](const auto& each) { return each.first == number; });
  return row == std::end(rows) ? std::string() : std::string(row->second);
}

}  // namespace

std::string topology_name(std::uint32_t number) {
  return number < std::size(kTopologies) ? std::string(kTopologies[number]) : std::string();
}

std::string polygon_mode_name(std::uint32_t number) {
  return number < std::size(kPolygonModes) ? std::string(kPolygonModes[number]) : std::string();
}

std::string dynamic_state_name(std::uint32_t number) { return find(kDynamicStates, number); }

}  // namespace varylink::formats::fossilize
