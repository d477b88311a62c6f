#include "formats/create_info.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "spirv/tools/binary.h"
#include "spirv/tools/specialization_text.h"
#include "spirv/tools/tools.h"
#include "state/dynamic_states.h"
#include "state/vulkan_format.h"

namespace varylink::formats {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr const char* kUndefined = "UNDEFINED";

constexpr std::pair<std::uint32_t, Stage> kFlags[] = {
    {0x01, Stage::vertex},   {0x02, Stage::tess_control}, {0x04, Stage::tess_eval}, {0x08, Stage::geometry},
    {0x10, Stage::fragment}, {0x40, Stage::task},         {0x80, Stage::mesh}};

// States that became core have lost their suffix, and files may have any of these names.
std::optional<std::string> known_dynamic_state(const std::string& name) {
  std::string core = name;
  for (const std::string_view suffix : {"_EXT", "_KHR"})
    if (core.ends_with(suffix)) core.resize(core.size() - suffix.size());
  const std::vector<std::string>& known = state::dynamic_state_names();
  for (const std::string& each : {name, core, core + "_EXT"})
    if (std::find(known.begin(), known.end(), each) != known.end()) return each;
  return std::nullopt;
}

state::Topology topology_of(const std::string& name) {
  if (name.starts_with("POINT")) return state::Topology::points;
  if (name.starts_with("LINE")) return state::Topology::lines;
  if (name.starts_with("TRIANGLE")) return state::Topology::triangles;
  if (name.starts_with("PATCH")) return state::Topology::patches;
  return state::Topology::unknown;
}

state::PolygonMode polygon_mode_of(const std::string& name) {
  if (name == "FILL") return state::PolygonMode::fill;
  if (name == "LINE") return state::PolygonMode::line;
  if (name == "POINT") return state::PolygonMode::point;
  return state::PolygonMode::unknown;
}

state::ColorAttachment no_attachment() { return {false, {}, 0}; }

state::ColorAttachment attachment_of(const CreateInfo& info, std::size_t index) {
  const std::string& format = (*info.color_formats)[index];
  if (format == kUndefined) return no_attachment();
  state::ColorAttachment attachment;
  if (state::find_format(format)) attachment.format = format;
  if (index < info.write_masks.size()) attachment.write_mask = info.write_masks[index] & 0xf;
  return attachment;
}

// By location. Two attachments at one location, or a location that no device has, are no valid pipeline: then nothing
// is known.
std::optional<std::vector<state::ColorAttachment>> attachments_of(const CreateInfo& info) {
  constexpr std::uint32_t kUnused = ~0u, kMostLocations = 64;
  if (!info.color_formats || info.taken_away.has(Assumption::attachments)) return std::nullopt;
  std::vector<state::ColorAttachment> attachments;
  std::set<std::uint32_t> taken;
  for (std::uint32_t i = 0; i < info.color_formats->size(); ++i) {
    std::uint32_t location = i;
    if (info.attachment_locations)
      location = i < info.attachment_locations->size() ? (*info.attachment_locations)[i] : kUnused;
    if (location == kUnused) continue;
    if (location >= kMostLocations || !taken.insert(location).second) return std::nullopt;
    if (attachments.size() <= location) attachments.resize(location + 1, no_attachment());
    attachments[location] = attachment_of(info, i);
  }
  return attachments;
}

std::string known_depth_format(const std::string& name) {
  return name == kUndefined || state::is_depth_or_stencil_format(name) ? name : std::string();
}

OrderedJson stages_json(const std::vector<Stage>& stages) {
  OrderedJson json = OrderedJson::array();
  for (const Stage stage : stages) json.push_back(short_name(stage));
  return json;
}

// A set layout may have several entries for a binding, for different stages. A description has one for all of them.
std::vector<link::PipelineLayout::Binding> single_bindings(const link::PipelineLayout& layout) {
  std::vector<link::PipelineLayout::Binding> bindings;
  for (const auto& each : layout.bindings) {
    const auto same = std::find_if(bindings.begin(), bindings.end(), [&](const auto& other) {
      return other.set == each.set && other.binding == each.binding;
    });
    if (same == bindings.end())
      bindings.push_back(each);
    else
      same->stages.insert(same->stages.end(), each.stages.begin(), each.stages.end());
  }
  return bindings;
}

// Member by member: lists of initializers are copied several times, and a layer writes a layout for every pipeline.
OrderedJson layout_json(const link::PipelineLayout& layout) {
  OrderedJson json = OrderedJson::object();
  OrderedJson& bindings = json["bindings"] = OrderedJson::array();
  for (const auto& each : single_bindings(layout)) {
    OrderedJson& binding = bindings.emplace_back(OrderedJson::object());
    binding["set"] = each.set;
    binding["binding"] = each.binding;
    binding["stages"] = stages_json(each.stages);
  }
  OrderedJson& ranges = json["pushConstants"] = OrderedJson::array();
  for (const auto& each : layout.push_constants) {
    OrderedJson& range = ranges.emplace_back(OrderedJson::object());
    range["offset"] = each.offset;
    range["size"] = each.size;
    range["stages"] = stages_json(each.stages);
  }
  return json;
}

OrderedJson stage_json(const link::StageDescription& stage) {
  if (stage.entry_point.empty() && stage.specialization.empty() && !stage.file.empty()) return stage.file;
  OrderedJson json = OrderedJson::object();
  if (!stage.file.empty()) json["file"] = stage.file;
  if (!stage.entry_point.empty()) json["entry"] = stage.entry_point;
  for (const auto& [id, value] : stage.specialization)
    json["specialization"][std::to_string(id)] = OrderedJson::parse(value);
  return json;
}

// `json` with the description behind what it has.
std::string with_description(OrderedJson json, const link::PipelineDescription& description) {
  json["stages"] = OrderedJson::object();
  for (const auto& [stage, given] : description.stages)
    json["stages"][std::string(short_name(stage))] = stage_json(given);
  if (description.layout) json["layout"] = layout_json(*description.layout);
  std::string text = json.dump();
  if (const std::string state = state::to_json(description.state); state != "{}") {
    text.pop_back();
    text += ",\"state\":" + state + "}";
  }
  return text;
}

}  // namespace

state::PipelineState state_of(const CreateInfo& info) {
  state::PipelineState state;
  const auto is_known = [](const std::string& name) { return known_dynamic_state(name).has_value(); };
  if (!std::all_of(info.dynamic_states.begin(), info.dynamic_states.end(), is_known)) return state;
  state.topology = topology_of(info.topology);
  for (const CreateInfo::Attribute& attribute : info.attributes) {
    if (state::find_format(attribute.format)) state.attribute_formats[attribute.location] = attribute.format;
    const auto rate = info.binding_is_per_instance.find(attribute.binding);
    if (rate != info.binding_is_per_instance.end() && rate->second)
      state.instance_rate_attributes.insert(attribute.location);
  }
  state.patch_control_points = info.patch_control_points;
  state.rasterizer_discard = info.rasterizer_discard;
  if (!info.taken_away.has(Assumption::samples)) state.samples = info.samples;
  state.sample_shading = info.sample_shading;
  state.alpha_to_coverage = info.alpha_to_coverage;
  if (!info.taken_away.has(Assumption::views)) state.view_mask = info.view_mask;
  if (info.provoking_vertex == "FIRST_VERTEX_EXT") state.provoking_vertex = state::ProvokingVertex::first;
  if (info.provoking_vertex == "LAST_VERTEX_EXT") state.provoking_vertex = state::ProvokingVertex::last;
  state.polygon_mode = polygon_mode_of(info.polygon_mode);
  state.attachments = attachments_of(info);
  state.depth_format = known_depth_format(info.depth_format);
  state.stencil_format = known_depth_format(info.stencil_format);
  for (const std::string& name : info.dynamic_states) state.dynamic_states.insert(*known_dynamic_state(name));
  state::forget_dynamic(state);
  return state;
}

std::string depth_part(const std::string& name) { return name == "S8_UINT" ? kUndefined : name; }

std::string stencil_part(const std::string& name) {
  return name.empty() || name.find("S8") != std::string::npos ? name : kUndefined;
}

spirv::SpecializationValues values_of(const SpecializationData& data, std::span<const std::uint32_t> words) {
  spirv::SpecializationValues values;
  const std::vector<std::uint32_t> copy(words.begin(), words.end());
  const spirv::ValidatorOptions any_layout = {spirv::TargetEnv::vulkan1_3, true, true, true, true};
  if (data.entries.empty() || !spirv::validate(copy, any_layout, {})) return values;
  const Result<spirv::Module> module = spirv::read_module(copy, {});
  if (!module) return values;
  for (const SpecializationData::Entry& entry : data.entries) {
    if (entry.offset > data.bytes.size() || entry.size > data.bytes.size() - entry.offset) continue;
    const auto text =
        spirv::specialization_text(*module, entry.id, std::string_view(data.bytes).substr(entry.offset, entry.size));
    if (text) values.emplace(entry.id, *text);
  }
  return values;
}

std::optional<Stage> stage_of_flag(std::uint32_t flag) {
  for (const auto& [bit, stage] : kFlags)
    if (bit == flag) return stage;
  return std::nullopt;
}

std::vector<Stage> stages_of_mask(std::uint32_t mask) {
  std::vector<Stage> stages;
  for (const auto& [bit, stage] : kFlags)
    if ((mask & bit) != 0) stages.push_back(stage);
  return stages;
}

std::optional<std::string> decode_base64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && !text.empty() && text.back() == '=') {
    text.remove_suffix(1);
    ++padding;
  }
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  return bytes;
}

std::string manifest_line(const std::string& name, const link::PipelineDescription& description) {
  return with_description({{"name", name}}, description);
}

std::string description_text(const link::PipelineDescription& description) {
  return with_description(OrderedJson::object(), description);
}

}  // namespace varylink::formats
