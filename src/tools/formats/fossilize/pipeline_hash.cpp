#include "formats/fossilize/pipeline_hash.h"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "formats/create_info.h"
#include "formats/fossilize/database.h"
#include "formats/fossilize/hasher.h"
#include "formats/fossilize/recording.h"
#include "formats/fossilize/vulkan_numbers.h"

namespace varylink::formats::fossilize {
namespace {

// VkBlendFactor: CONSTANT_COLOR and CONSTANT_ALPHA.
constexpr std::uint32_t kConstantColor = 10, kConstantAlpha = 12;
// VkPipelineCreateFlagBits that say nothing about what is compiled, and the one of derivatives.
constexpr std::uint32_t kFlagsWithoutMeaning = 0x3c0u | 0x80000000u;

// A structure of a pNext chain: its numbers in the order of hashing. Each is left out, or 0, if the state is dynamic.
struct Structure {
  std::uint32_t type;
  std::initializer_list<const char*> members;
  const char* dynamic;  // state; null: none
};

const Structure kStructures[] = {
    {1000117003, {"domainOrigin"}, "TESSELLATION_DOMAIN_ORIGIN_EXT"},
    {1000102001, {"flags", "depthClipEnable"}, "DEPTH_CLIP_ENABLE_EXT"},
    {1000028002, {"flags", "rasterizationStream"}, "RASTERIZATION_STREAM_EXT"},
    {1000254001, {"provokingVertexMode"}, "PROVOKING_VERTEX_MODE_EXT"},
    {1000225001, {"requiredSubgroupSize"}, nullptr},
};
constexpr std::uint32_t kRenderingInfo = 1000044002, kDivisors = 1000190001;

// Thrown where JSON is no pipeline; ends in hash_of_pipeline.
struct NotKnown {};

std::uint32_t number(const nlohmann::json& object, const char* key) {
  if (!object.is_object()) throw NotKnown();
  const auto found = object.find(key);
  if (found == object.end()) return 0;
  if (!found->is_number_integer()) throw NotKnown();
  return static_cast<std::uint32_t>(found->get<std::int64_t>());
}

float real(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) throw NotKnown();
  return found->get<float>();
}

const nlohmann::json& elements(const nlohmann::json& object, const char* key) {
  static const nlohmann::json kNone = nlohmann::json::array();
  const auto found = object.find(key);
  if (found == object.end()) return kNone;
  if (!found->is_array()) throw NotKnown();
  return *found;
}

std::uint64_t handle(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) throw NotKnown();
  const auto hash = hash_from_text(found->get_ref<const std::string&>());
  if (!hash) throw NotKnown();
  return *hash;
}

class PipelineHasher {
 public:
  explicit PipelineHasher(const nlohmann::json& pipeline) : pipeline_(pipeline) {}

  std::uint64_t run() {
    const std::uint32_t flags = number(pipeline_, "flags");
    if ((flags & kPipelineDerivativeBit) != 0) throw NotKnown();
    h_.u32(flags & ~kFlagsWithoutMeaning);
    h_.u64(handle(pipeline_, "layout"));
    h_.u64(handle(pipeline_, "renderPass"));
    h_.u32(number(pipeline_, "subpass"));
    h_.u32(static_cast<std::uint32_t>(elements(pipeline_, "stages").size()));
    dynamic_states();
    if (const nlohmann::json* state = part("depthStencilState")) depth_stencil(*state);
    if (const nlohmann::json* state = part("inputAssemblyState")) {
      h_.u32(number(*state, "flags"));
      put(*state, "primitiveRestartEnable", "PRIMITIVE_RESTART_ENABLE");
      h_.u32(number(*state, "topology"));
      chain(*state);
    }
    if (const nlohmann::json* state = part("rasterizationState")) rasterization(*state);
    if (pipeline_.contains("multisampleState")) multisample(pipeline_["multisampleState"]);
    if (const nlohmann::json* state = part("viewportState")) viewport(*state);
    if (const nlohmann::json* state = part("vertexInputState")) vertex_input(*state);
    if (const nlohmann::json* state = part("colorBlendState")) color_blend(*state);
    if (const nlohmann::json* state = part("tessellationState")) {
      h_.u32(number(*state, "flags"));
      put(*state, "patchControlPoints", "PATCH_CONTROL_POINTS_EXT");
      chain(*state);
    }
    for (const nlohmann::json& each : elements(pipeline_, "stages")) stage(each);
    chain(pipeline_);
    return h_.get();
  }

 private:
  bool is_dynamic(const char* state) const { return dynamic_.count(state) != 0; }

  // A state that is not there counts as 0.
  const nlohmann::json* part(const char* key) {
    if (const auto found = pipeline_.find(key); found != pipeline_.end()) return &*found;
    h_.u32(0);
    return nullptr;
  }

  void put(const nlohmann::json& object, const char* key, const char* dynamic) {
    h_.u32(is_dynamic(dynamic) ? 0 : number(object, key));
  }

  void dynamic_states() {
    const nlohmann::json* const state = part("dynamicState");
    if (!state) return;
    const nlohmann::json& states = elements(*state, "dynamicState");
    h_.u32(static_cast<std::uint32_t>(states.size()));
    h_.u32(number(*state, "flags"));
    for (const nlohmann::json& each : states) {
      if (!each.is_number_unsigned()) throw NotKnown();
      h_.u32(each.get<std::uint32_t>());
      dynamic_.insert(dynamic_state_name(each.get<std::uint32_t>()));
    }
    if (dynamic_.count("SCISSOR_WITH_COUNT") != 0) dynamic_.insert("SCISSOR");
    if (dynamic_.count("VIEWPORT_WITH_COUNT") != 0) dynamic_.insert("VIEWPORT");
    chain(*state);
  }

  void depth_stencil(const nlohmann::json& state) {
    if (!state.contains("front") || !state.contains("back")) throw NotKnown();
    const nlohmann::json& front = state["front"];
    const nlohmann::json& back = state["back"];
    h_.u32(number(state, "flags"));
    put(state, "depthBoundsTestEnable", "DEPTH_BOUNDS_TEST_ENABLE");
    put(state, "depthCompareOp", "DEPTH_COMPARE_OP");
    put(state, "depthTestEnable", "DEPTH_TEST_ENABLE");
    put(state, "depthWriteEnable", "DEPTH_WRITE_ENABLE");
    for (const nlohmann::json* side : {&front, &back})
      for (const char* key : {"compareOp", "depthFailOp", "failOp", "passOp"}) put(*side, key, "STENCIL_OP");
    put(state, "stencilTestEnable", "STENCIL_TEST_ENABLE");
    if (!is_dynamic("DEPTH_BOUNDS") &&
        (number(state, "depthBoundsTestEnable") != 0 || is_dynamic("DEPTH_BOUNDS_TEST_ENABLE")))
      for (const char* key : {"minDepthBounds", "maxDepthBounds"}) h_.f32(real(state, key));
    if (number(state, "stencilTestEnable") != 0 || is_dynamic("STENCIL_TEST_ENABLE"))
      for (const auto& [key, dynamic] :
           {std::pair("compareMask", "STENCIL_COMPARE_MASK"), std::pair("reference", "STENCIL_REFERENCE"),
            std::pair("writeMask", "STENCIL_WRITE_MASK")})
        if (!is_dynamic(dynamic))
          for (const nlohmann::json* side : {&front, &back}) h_.u32(number(*side, key));
    chain(state);
  }

  void rasterization(const nlohmann::json& state) {
    h_.u32(number(state, "flags"));
    put(state, "cullMode", "CULL_MODE");
    put(state, "depthClampEnable", "DEPTH_CLAMP_ENABLE_EXT");
    put(state, "frontFace", "FRONT_FACE");
    put(state, "rasterizerDiscardEnable", "RASTERIZER_DISCARD_ENABLE");
    put(state, "polygonMode", "POLYGON_MODE_EXT");
    put(state, "depthBiasEnable", "DEPTH_BIAS_ENABLE");
    if ((number(state, "depthBiasEnable") != 0 || is_dynamic("DEPTH_BIAS_ENABLE")) && !is_dynamic("DEPTH_BIAS"))
      for (const char* key : {"depthBiasClamp", "depthBiasSlopeFactor", "depthBiasConstantFactor"})
        h_.f32(real(state, key));
    if (!is_dynamic("LINE_WIDTH")) h_.f32(real(state, "lineWidth"));
    chain(state);
  }

  void multisample(const nlohmann::json& state) {
    h_.u32(number(state, "flags"));
    put(state, "alphaToCoverageEnable", "ALPHA_TO_COVERAGE_ENABLE_EXT");
    put(state, "alphaToOneEnable", "ALPHA_TO_ONE_ENABLE_EXT");
    h_.f32(real(state, "minSampleShading"));
    put(state, "rasterizationSamples", "RASTERIZATION_SAMPLES_EXT");
    h_.u32(number(state, "sampleShadingEnable"));
    if (!is_dynamic("SAMPLE_MASK_EXT") && state.contains("sampleMask"))
      for (const nlohmann::json& each : elements(state, "sampleMask")) h_.u32(each.get<std::uint32_t>());
    else
      h_.u32(0);
    chain(state);
  }

  void viewport(const nlohmann::json& state) {
    h_.u32(number(state, "flags"));
    put(state, "scissorCount", "SCISSOR_WITH_COUNT");
    put(state, "viewportCount", "VIEWPORT_WITH_COUNT");
    if (!is_dynamic("SCISSOR"))
      for (const nlohmann::json& each : elements(state, "scissors"))
        for (const char* key : {"x", "y", "width", "height"}) h_.u32(number(each, key));
    if (!is_dynamic("VIEWPORT"))
      for (const nlohmann::json& each : elements(state, "viewports"))
        for (const char* key : {"x", "y", "width", "height", "minDepth", "maxDepth"}) h_.f32(real(each, key));
    chain(state);
  }

  void vertex_input(const nlohmann::json& state) {
    const nlohmann::json& attributes = elements(state, "attributes");
    const nlohmann::json& bindings = elements(state, "bindings");
    h_.u32(number(state, "flags"));
    h_.u32(static_cast<std::uint32_t>(attributes.size()));
    h_.u32(static_cast<std::uint32_t>(bindings.size()));
    for (const nlohmann::json& each : attributes)
      for (const char* key : {"offset", "binding", "format", "location"}) h_.u32(number(each, key));
    for (const nlohmann::json& each : bindings) {
      h_.u32(number(each, "binding"));
      h_.u32(number(each, "inputRate"));
      put(each, "stride", "VERTEX_INPUT_BINDING_STRIDE");
    }
    chain(state);
  }

  void color_blend(const nlohmann::json& state) {
    const nlohmann::json& attachments = elements(state, "attachments");
    const bool has_dynamic_equation = is_dynamic("COLOR_BLEND_EQUATION_EXT");
    const bool ignores_attachments =
        is_dynamic("COLOR_BLEND_ENABLE_EXT") && is_dynamic("COLOR_WRITE_MASK_EXT") && has_dynamic_equation;
    h_.u32(number(state, "flags"));
    h_.u32(static_cast<std::uint32_t>(attachments.size()));
    put(state, "logicOpEnable", "LOGIC_OP_ENABLE_EXT");
    const bool has_logic = number(state, "logicOpEnable") != 0 || is_dynamic("LOGIC_OP_ENABLE_EXT");
    h_.u32(is_dynamic("LOGIC_OP_EXT") || !has_logic ? 0 : number(state, "logicOp"));
    bool needs_constants = has_dynamic_equation;
    if (ignores_attachments)
      h_.u32(0);
    else
      for (const nlohmann::json& each : attachments) needs_constants = attachment(each) || needs_constants;
    if (needs_constants && !is_dynamic("BLEND_CONSTANTS"))
      for (const nlohmann::json& each : elements(state, "blendConstants")) h_.f32(each.get<float>());
    chain(state);
  }

  // True if it blends with the constants.
  bool attachment(const nlohmann::json& each) {
    put(each, "blendEnable", "COLOR_BLEND_ENABLE_EXT");
    put(each, "colorWriteMask", "COLOR_WRITE_MASK_EXT");
    if (number(each, "blendEnable") == 0 && !is_dynamic("COLOR_BLEND_ENABLE_EXT")) {
      h_.u32(0);
      return false;
    }
    constexpr const char* kFactors[] = {"dstAlphaBlendFactor", "srcAlphaBlendFactor", "dstColorBlendFactor",
                                        "srcColorBlendFactor"};
    if (is_dynamic("COLOR_BLEND_EQUATION_EXT")) {
      h_.u32(0);
    } else {
      put(each, "alphaBlendOp", "COLOR_BLEND_ADVANCED_EXT");
      put(each, "colorBlendOp", "COLOR_BLEND_ADVANCED_EXT");
      for (const char* key : kFactors) h_.u32(number(each, key));
    }
    return std::any_of(std::begin(kFactors), std::end(kFactors), [&](const char* key) {
      return number(each, key) == kConstantColor || number(each, key) == kConstantAlpha;
    });
  }

  void stage(const nlohmann::json& each) {
    const auto name = each.find("name");
    if (name == each.end() || !name->is_string()) throw NotKnown();
    h_.u32(number(each, "flags"));
    h_.text(name->get_ref<const std::string&>());
    h_.u32(number(each, "stage"));
    h_.u64(handle(each, "module"));
    if (const auto data = each.find("specializationInfo"); data != each.end())
      specialization(*data);
    else
      h_.u32(0);
    chain(each);
  }

  void specialization(const nlohmann::json& data) {
    const auto text = data.find("data");
    const auto bytes =
        text != data.end() && text->is_string() ? decode_base64(text->get_ref<const std::string&>()) : std::nullopt;
    if (!bytes) throw NotKnown();
    const nlohmann::json& entries = elements(data, "mapEntries");
    h_.bytes(*bytes);
    h_.u64(bytes->size());
    h_.u32(static_cast<std::uint32_t>(entries.size()));
    for (const nlohmann::json& each : entries) {
      h_.u32(number(each, "offset"));
      h_.u64(number(each, "size"));
      h_.u32(number(each, "constantID"));
    }
  }

  void chain(const nlohmann::json& state) {
    for (const nlohmann::json& each : elements(state, "pNext")) structure(each);
  }

  void structure(const nlohmann::json& each) {
    const std::uint32_t type = number(each, "sType");
    h_.u32(type);
    if (type == kRenderingInfo) return rendering(each);
    if (type == kDivisors) {
      const nlohmann::json& divisors = elements(each, "vertexBindingDivisors");
      h_.u32(static_cast<std::uint32_t>(divisors.size()));
      for (const nlohmann::json& divisor : divisors)
        for (const char* key : {"binding", "divisor"}) h_.u32(number(divisor, key));
      return;
    }
    const auto known = std::find_if(std::begin(kStructures), std::end(kStructures),
                                    [&](const Structure& row) { return row.type == type; });
    if (known == std::end(kStructures)) throw NotKnown();
    const char* const last = *(known->members.end() - 1);
    for (const char* key : known->members)
      h_.u32(key == last && known->dynamic && is_dynamic(known->dynamic) ? 0 : number(each, key));
  }

  void rendering(const nlohmann::json& each) {
    const nlohmann::json& formats = elements(each, "colorAttachmentFormats");
    h_.u32(static_cast<std::uint32_t>(formats.size()));
    h_.u32(number(each, "viewMask"));
    for (const nlohmann::json& format : formats) h_.u32(format.get<std::uint32_t>());
    h_.u32(number(each, "depthAttachmentFormat"));
    h_.u32(number(each, "stencilAttachmentFormat"));
  }

  const nlohmann::json& pipeline_;
  Hasher h_;
  std::set<std::string> dynamic_;
};

}  // namespace

std::optional<std::uint64_t> hash_of_pipeline(std::string_view text, std::uint64_t hash) {
  try {
    const nlohmann::json root = nlohmann::json::parse(text);
    return PipelineHasher(root.at("graphicsPipelines").at(hash_text(hash))).run();
  } catch (const NotKnown&) {
  } catch (const nlohmann::json::exception&) {
  }
  return std::nullopt;
}

}  // namespace varylink::formats::fossilize
