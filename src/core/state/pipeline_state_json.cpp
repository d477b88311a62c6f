// Pipeline states as JSON: the members of VkGraphicsPipelineCreateInfo that matter here, with Vulkan's names.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/strict_json.h"
#include "state/dynamic_states.h"
#include "state/pipeline_state.h"
#include "state/vulkan_format.h"

namespace varylink::state {
namespace {

using OrderedJson = nlohmann::ordered_json;

// VkPrimitiveTopology, and the class alone for those who know no more.
constexpr std::pair<const char*, Topology> kTopologies[] = {{"points", Topology::points},
                                                            {"lines", Topology::lines},
                                                            {"triangles", Topology::triangles},
                                                            {"patches", Topology::patches},
                                                            {"POINT_LIST", Topology::points},
                                                            {"LINE_LIST", Topology::lines},
                                                            {"LINE_STRIP", Topology::lines},
                                                            {"LINE_LIST_WITH_ADJACENCY", Topology::lines},
                                                            {"LINE_STRIP_WITH_ADJACENCY", Topology::lines},
                                                            {"TRIANGLE_LIST", Topology::triangles},
                                                            {"TRIANGLE_STRIP", Topology::triangles},
                                                            {"TRIANGLE_FAN", Topology::triangles},
                                                            {"TRIANGLE_LIST_WITH_ADJACENCY", Topology::triangles},
                                                            {"TRIANGLE_STRIP_WITH_ADJACENCY", Topology::triangles},
                                                            {"PATCH_LIST", Topology::patches}};

const std::vector<std::string> kProvokingVertices = {"FIRST_VERTEX_EXT", "LAST_VERTEX_EXT"};
// In the order of PolygonMode, without unknown.
const std::vector<std::string> kPolygonModes = {"FILL", "LINE", "POINT", "FILL_RECTANGLE_NV"};
constexpr std::string_view kComponents = "RGBA";
constexpr const char* kUndefined = "UNDEFINED";

// ---- reading; each takes one member

Topology read_topology(const StrictJson& json) {
  std::vector<std::string> names;
  for (const auto& [name, topology] : kTopologies) names.emplace_back(name);
  return kTopologies[json.one_of(names)].second;
}

std::set<std::uint32_t> read_locations(const StrictJson& json) {
  std::set<std::uint32_t> locations;
  for (const StrictJson& each : json.elements()) locations.insert(each.number());
  return locations;
}

std::string read_format(const StrictJson& json) {
  std::string name = json.text();
  if (!find_format(name))
    json.complain("\"" + json.key() + "\": " + name + " is no color format, such as R8G8B8A8_UNORM");
  return name;
}

std::string read_depth_format(const StrictJson& json) {
  std::string name = json.text();
  if (name != kUndefined && !is_depth_or_stencil_format(name))
    json.complain("\"" + json.key() + "\": " + name +
                  " is no depth or stencil format, such as D32_SFLOAT, or UNDEFINED");
  return name;
}

void read_attribute(const StrictJson& json, const std::map<std::uint32_t, bool>& per_instance, PipelineState& state) {
  if (!json.is_object_of("a vertex attribute", {"location", "binding", "format", "offset"})) return;
  const auto location = json.need("location"), format = json.need("format");
  if (!location || !format) return;
  const std::uint32_t number = location->number();
  if (!state.attribute_formats.emplace(number, read_format(*format)).second)
    location->complain("location " + std::to_string(number) + " stands twice");
  if (const auto offset = json.find("offset")) offset->number();
  const auto binding = json.find("binding");
  if (!binding) return;
  const auto found = per_instance.find(binding->number());
  if (found == per_instance.end()) return binding->complain("there is no binding " + binding->value().dump());
  if (found->second) state.instance_rate_attributes.insert(number);
}

void read_vertex_input(const StrictJson& json, PipelineState& state) {
  if (!json.is_object_of("a vertex input", {"bindings", "attributes"})) return;
  std::map<std::uint32_t, bool> per_instance;
  if (const auto bindings = json.find("bindings"))
    for (const StrictJson& each : bindings->elements()) {
      if (!each.is_object_of("a vertex binding", {"binding", "stride", "inputRate"})) return;
      const auto number = each.need("binding");
      if (!number) return;
      const auto rate = each.find("inputRate");
      const bool instance = rate && rate->one_of({"VERTEX", "INSTANCE"}) == 1;
      if (const auto stride = each.find("stride")) stride->number();
      if (!per_instance.emplace(number->number(), instance).second) number->complain("the binding stands twice");
    }
  if (const auto attributes = json.find("attributes"))
    for (const StrictJson& each : attributes->elements()) read_attribute(each, per_instance, state);
}

std::uint32_t read_write_mask(const StrictJson& json) {
  const std::string text = json.is_string() ? json.value().get<std::string>() : "?";
  std::uint32_t mask = 0;
  for (const char c : text) {
    const std::size_t component = kComponents.find(c);
    if (component == std::string_view::npos || (mask >> component & 1) != 0) {
      json.complain("\"" + json.key() + "\" is made of the letters R, G, B and A");
      break;
    }
    mask |= 1u << component;
  }
  return mask;
}

ColorAttachment read_attachment(const StrictJson& json) {
  if (json.is_null()) return {false, {}, 0};
  ColorAttachment attachment;
  if (!json.is_object_of("an attachment that is not null", {"format", "writeMask"})) return attachment;
  if (const auto format = json.find("format")) {
    if (format->is_string() && format->value() == kUndefined) return {false, {}, 0};
    attachment.format = read_format(*format);
  }
  if (const auto mask = json.find("writeMask")) attachment.write_mask = read_write_mask(*mask);
  return attachment;
}

std::uint32_t read_samples(const StrictJson& json) {
  const std::uint32_t samples = json.number(1, 64);
  if ((samples & (samples - 1)) != 0) json.complain("\"rasterizationSamples\" is 1, 2, 4, 8, 16, 32 or 64");
  return samples;
}

struct Member {
  const char* name;
  void (*read)(const StrictJson& json, PipelineState& state);
};

constexpr Member kMembers[] = {
    {"topology", [](const StrictJson& json, PipelineState& state) { state.topology = read_topology(json); }},
    {"vertexInput", read_vertex_input},
    {"instanceRateAttributes",
     [](const StrictJson& json, PipelineState& state) { state.instance_rate_attributes.merge(read_locations(json)); }},
    {"patchControlPoints",
     [](const StrictJson& json, PipelineState& state) { state.patch_control_points = json.number(1, 0xffff); }},
    {"rasterizerDiscardEnable",
     [](const StrictJson& json, PipelineState& state) { state.rasterizer_discard = json.flag(); }},
    {"rasterizationSamples", [](const StrictJson& json, PipelineState& state) { state.samples = read_samples(json); }},
    {"sampleShadingEnable", [](const StrictJson& json, PipelineState& state) { state.sample_shading = json.flag(); }},
    {"alphaToCoverageEnable",
     [](const StrictJson& json, PipelineState& state) { state.alpha_to_coverage = json.flag(); }},
    {"viewMask", [](const StrictJson& json, PipelineState& state) { state.view_mask = json.number(); }},
    {"provokingVertexMode",
     [](const StrictJson& json, PipelineState& state) {
       state.provoking_vertex = json.one_of(kProvokingVertices) == 0 ? ProvokingVertex::first : ProvokingVertex::last;
     }},
    {"polygonMode",
     [](const StrictJson& json, PipelineState& state) {
       state.polygon_mode = static_cast<PolygonMode>(json.one_of(kPolygonModes) + 1);
     }},
    {"attachments",
     [](const StrictJson& json, PipelineState& state) {
       state.attachments.emplace();
       for (const StrictJson& each : json.elements()) state.attachments->push_back(read_attachment(each));
     }},
    {"depthAttachmentFormat",
     [](const StrictJson& json, PipelineState& state) { state.depth_format = read_depth_format(json); }},
    {"stencilAttachmentFormat",
     [](const StrictJson& json, PipelineState& state) { state.stencil_format = read_depth_format(json); }},
    {"noFragment", [](const StrictJson& json, PipelineState& state) { state.no_fragment = json.flag(); }},
    {"sharedSpecConstants",
     [](const StrictJson& json, PipelineState& state) { state.shared_spec_constants = json.flag(); }},
    {"dynamicStates",
     [](const StrictJson& json, PipelineState& state) {
       for (const StrictJson& each : json.elements())
         state.dynamic_states.insert(dynamic_state_names()[each.one_of(dynamic_state_names())]);
     }},
};

// ---- writing

OrderedJson to_json(const ColorAttachment& attachment) {
  if (!attachment.is_used) return nullptr;
  OrderedJson json = OrderedJson::object();
  if (!attachment.format.empty()) json["format"] = attachment.format;
  std::string mask;
  for (std::size_t i = 0; i < kComponents.size(); ++i)
    if ((attachment.write_mask >> i & 1) != 0) mask += kComponents[i];
  json["writeMask"] = mask;
  return json;
}

template <typename T>
void put(OrderedJson& json, const char* name, const std::optional<T>& value) {
  if (value) json[name] = *value;
}

}  // namespace

const std::vector<std::string>& pipeline_state_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> names;
    for (const Member& member : kMembers) names.emplace_back(member.name);
    return names;
  }();
  return keys;
}

PipelineState read_pipeline_state(const StrictJson& json) {
  PipelineState state;
  if (!json.is_object_of("a pipeline state", pipeline_state_keys())) return state;
  for (const Member& member : kMembers)
    if (const auto given = json.find(member.name)) member.read(*given, state);
  forget_dynamic(state);
  return state;
}

Result<PipelineState> parse_pipeline_state(std::string_view text, const std::string& file) {
  JsonProblem problem;
  const std::optional<nlohmann::json> root = parse_json(text, problem);
  if (!root) return json_error(text, file, problem);
  PipelineState state = read_pipeline_state({*root, problem});
  if (!problem.message.empty()) return json_error(text, file, problem);
  return state;
}

std::string to_json(const PipelineState& state) {
  OrderedJson json = OrderedJson::object();
  for (const auto& [name, topology] : kTopologies)
    if (state.topology == topology && !json.contains("topology")) json["topology"] = name;
  for (const auto& [location, format] : state.attribute_formats) {
    OrderedJson& attribute = json["vertexInput"]["attributes"].emplace_back(OrderedJson::object());
    attribute["location"] = location;
    attribute["format"] = format;
  }
  if (!state.instance_rate_attributes.empty()) json["instanceRateAttributes"] = state.instance_rate_attributes;
  put(json, "patchControlPoints", state.patch_control_points);
  put(json, "rasterizerDiscardEnable", state.rasterizer_discard);
  put(json, "rasterizationSamples", state.samples);
  put(json, "sampleShadingEnable", state.sample_shading);
  put(json, "alphaToCoverageEnable", state.alpha_to_coverage);
  put(json, "viewMask", state.view_mask);
  if (state.provoking_vertex != ProvokingVertex::unknown)
    json["provokingVertexMode"] = kProvokingVertices[state.provoking_vertex == ProvokingVertex::first ? 0 : 1];
  if (state.polygon_mode != PolygonMode::unknown)
    json["polygonMode"] = kPolygonModes[static_cast<std::size_t>(state.polygon_mode) - 1];
  if (state.attachments) {
    json["attachments"] = OrderedJson::array();
    for (const ColorAttachment& attachment : *state.attachments) json["attachments"].push_back(to_json(attachment));
  }
  if (!state.depth_format.empty()) json["depthAttachmentFormat"] = state.depth_format;
  if (!state.stencil_format.empty()) json["stencilAttachmentFormat"] = state.stencil_format;
  if (state.no_fragment) json["noFragment"] = true;
  if (state.shared_spec_constants) json["sharedSpecConstants"] = true;
  if (!state.dynamic_states.empty()) json["dynamicStates"] = state.dynamic_states;
  return json.dump();
}

}  // namespace varylink::state
