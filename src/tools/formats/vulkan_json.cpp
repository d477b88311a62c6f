#include "formats/vulkan_json.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

namespace varylink::formats {
namespace {

using Bits = std::vector<std::pair<std::string, std::uint32_t>>;

std::optional<std::uint32_t> parse_number(std::string_view text) {
  const bool is_hexadecimal = text.starts_with("0x");
  if (is_hexadecimal) text.remove_prefix(2);
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, is_hexadecimal ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Names that are not among `bits` count as none: they are of stages or extensions that no pipeline here has.
std::uint32_t mask(const StrictJson& json, const std::string& prefix, const Bits& bits) {
  if (!json.is_string()) return json.number();
  const std::string text = json.text();
  std::uint32_t result = 0;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('|', start), text.size());
    const std::string_view name = trimmed(std::string_view(text).substr(start, end - start));
    start = end + 1;
    if (const auto given = parse_number(name)) {
      result |= *given;
      continue;
    }
    if (!name.starts_with(prefix)) {
      json.complain("\"" + json.key() + "\": " + std::string(name) + " does not begin with " + prefix);
      break;
    }
    for (const auto& [bit_name, bit] : bits)
      if (name.substr(prefix.size()) == bit_name) result |= bit;
  }
  return result;
}

}  // namespace

std::optional<StrictJson> member(const StrictJson& json, const std::string& key) {
  std::optional<StrictJson> found = json.find(key);
  if (found && (found->is_null() || (found->is_string() && found->value() == "NULL"))) return std::nullopt;
  return found;
}

std::vector<StrictJson> list(const StrictJson& json, const std::string& key) {
  const auto found = member(json, key);
  return found ? found->elements() : std::vector<StrictJson>();
}

std::string enumerant(const StrictJson& json, const std::string& prefix) {
  const std::string name = json.text();
  if (name.starts_with(prefix)) return name.substr(prefix.size());
  json.complain("\"" + json.key() + "\" does not begin with " + prefix);
  return {};
}

std::uint32_t number(const StrictJson& json) {
  static const std::map<std::string, std::uint32_t> kMacros = {
      {"VK_ATTACHMENT_UNUSED", ~0u}, {"VK_SUBPASS_EXTERNAL", ~0u}, {"VK_TRUE", 1}, {"VK_FALSE", 0}};
  if (!json.is_string()) return json.number();
  const std::string text = json.text();
  if (const auto given = parse_number(text)) return *given;
  const auto found = kMacros.find(text);
  if (found != kMacros.end()) return found->second;
  json.complain("\"" + json.key() + "\" is no number");
  return 0;
}

bool flag(const StrictJson& json) { return json.value().is_boolean() ? json.flag() : number(json) != 0; }

std::uint32_t sample_count(const StrictJson& json) {
  std::uint32_t samples = 0;
  if (json.is_string()) {
    std::string text = enumerant(json, "VK_SAMPLE_COUNT_");
    if (text.ends_with("_BIT")) text.resize(text.size() - 4);
    samples = parse_number(text).value_or(0);
  } else {
    samples = json.number();
  }
  if (samples == 0 || samples > 64 || (samples & (samples - 1)) != 0)
    json.complain("\"" + json.key() + "\" is no sample count");
  return samples;
}

std::uint32_t shader_stages(const StrictJson& json) {
  static const Bits kBits = {{"VERTEX_BIT", 0x1},
                             {"TESSELLATION_CONTROL_BIT", 0x2},
                             {"TESSELLATION_EVALUATION_BIT", 0x4},
                             {"GEOMETRY_BIT", 0x8},
                             {"FRAGMENT_BIT", 0x10},
                             {"COMPUTE_BIT", 0x20},
                             {"TASK_BIT_EXT", 0x40},
                             {"TASK_BIT_NV", 0x40},
                             {"MESH_BIT_EXT", 0x80},
                             {"MESH_BIT_NV", 0x80},
                             {"ALL_GRAPHICS", 0x1f},
                             {"ALL", 0x7fffffff}};
  return mask(json, "VK_SHADER_STAGE_", kBits);
}

std::uint32_t color_components(const StrictJson& json) {
  static const Bits kBits = {{"R_BIT", 1}, {"G_BIT", 2}, {"B_BIT", 4}, {"A_BIT", 8}};
  return mask(json, "VK_COLOR_COMPONENT_", kBits);
}

std::uint32_t create_flags(const StrictJson& json) {
  static const Bits kBits = {{"DISABLE_OPTIMIZATION_BIT", 0x1},
                             {"VIEW_INDEX_FROM_DEVICE_INDEX_BIT", 0x8},
                             {"DISPATCH_BASE_BIT", 0x10},
                             {"RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR", 0x200000},
                             {"RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT", 0x400000},
                             {"NO_PROTECTED_ACCESS_BIT", 0x8000000},
                             {"PROTECTED_ACCESS_ONLY_BIT", 0x40000000}};
  return mask(json, "VK_PIPELINE_CREATE_", kBits);
}

std::vector<StrictJson> chain(const StrictJson& json) {
  std::vector<StrictJson> structures;
  for (auto next = member(json, "pNext"); next && next->is_sound();) {
    if (!next->need("sType")) break;
    structures.push_back(*next);
    const auto behind = member(*next, "pNext");
    next.reset();
    if (behind) next.emplace(*behind);
  }
  return structures;
}

std::string structure_type(const StrictJson& json) {
  const auto type = json.need("sType");
  return type ? enumerant(*type, "VK_STRUCTURE_TYPE_") : std::string();
}

bool differ_in_robustness(const std::vector<StrictJson>& stages) {
  std::set<std::string> found;
  for (const StrictJson& stage : stages) {
    nlohmann::json robustness;
    for (const StrictJson& each : chain(stage))
      if (structure_type(each).starts_with("PIPELINE_ROBUSTNESS_CREATE_INFO")) robustness = each.value();
    if (robustness.is_object()) robustness.erase("pNext");
    found.insert(robustness.dump());
  }
  return found.size() > 1;
}

bool is_zero(const StrictJson& json) {
  const nlohmann::json& value = json.value();
  return value == 0 || value == false || value == "0" || value == "VK_FALSE";
}

std::string handle(const StrictJson& json) {
  if (json.is_string()) return json.value().get<std::string>();
  if (json.value().is_number_integer()) return json.value().dump();
  json.complain("\"" + json.key() + "\" is no handle");
  return {};
}

}  // namespace varylink::formats
