#include "link/model/pipeline_description.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/nearest.h"
#include "base/strict_json.h"

namespace varylink::link {
namespace {

std::vector<std::string> stage_names() {
  std::vector<std::string> names;
  for (int i = 0; i < kStageCount; ++i) names.emplace_back(short_name(static_cast<Stage>(i)));
  return names;
}

std::optional<Stage> read_stage_name(const StrictJson& json) {
  const std::optional<Stage> stage = stage_from_short_name(json.key());
  if (!stage) json.complain("there is no stage \"" + json.key() + "\"" + did_you_mean(json.key(), stage_names()));
  return stage;
}

// A path of the system has no NUL, and would end there.
std::string read_path(const StrictJson& json) {
  std::string path = json.text();
  if (path.find('\0') != std::string::npos) json.complain("the name of a file has a NUL");
  return path;
}

// Decimal, without leading zeros, so that no two keys are one id.
std::optional<std::uint32_t> read_constant_id(const std::string& key) {
  std::uint32_t id = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
  if (error != std::errc() || end != key.data() + key.size() || std::to_string(id) != key) return std::nullopt;
  return id;
}

// {"0": 4, "3": true, "7": 0.5}
spirv::SpecializationValues read_specialization(const StrictJson& json) {
  spirv::SpecializationValues values;
  for (const auto& [key, value] : json.members()) {
    const std::optional<std::uint32_t> id = read_constant_id(key);
    if (!id) value.complain("\"" + key + "\" is no number of a specialization constant");
    if (!value.value().is_number() && !value.value().is_boolean())
      value.complain("the value of specialization constant " + key + " is a number, true or false");
    values[id.value_or(0)] = value.value().dump();
  }
  return values;
}

bool is_macro_name(const std::string& name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

// {"QUALITY": 2, "FOG": "", "COLOR": "vec3(1)"}
std::vector<std::pair<std::string, std::string>> read_defines(const StrictJson& json) {
  std::vector<std::pair<std::string, std::string>> defines;
  for (const auto& [name, value] : json.members()) {
    if (!is_macro_name(name)) value.complain("\"" + name + "\" is no name of a macro");
    const bool is_text = value.is_string();
    if (!is_text && !value.value().is_number()) value.complain("macro \"" + name + "\" is a text or a number");
    defines.emplace_back(name, is_text ? value.value().get<std::string>() : value.value().dump());
    if (defines.back().second.find_first_of("\r\n") != std::string::npos)
      value.complain("macro \"" + name + "\" has a line break");
  }
  return defines;
}

StageDescription read_stage(const StrictJson& json) {
  StageDescription stage;
  if (json.is_string() && json.value() != "") {
    stage.file = read_path(json);
    return stage;
  }
  if (!json.is_object()) {
    json.complain("stage \"" + json.key() + "\" needs the path of a file");
    return stage;
  }
  if (!json.is_object_of("a stage", stage_description_keys())) return stage;
  if (const auto file = json.find("file")) stage.file = read_path(*file);
  if (const auto entry = json.find("entry")) stage.entry_point = entry->text();
  if (const auto values = json.find("specialization")) stage.specialization = read_specialization(*values);
  if (const auto defines = json.find("defines")) stage.defines = read_defines(*defines);
  if (const auto folders = json.find("includes"))
    for (const StrictJson& folder : folders->elements()) stage.include_dirs.push_back(read_path(folder));
  return stage;
}

// {"vert": "main"}, an older way to say "entry" of a stage. Where no stage names a file, all are named elsewhere.
void read_entries(const StrictJson& json, PipelineDescription& description) {
  const auto has_file = [](const auto& each) { return !each.second.file.empty(); };
  const bool names_files = std::any_of(description.stages.begin(), description.stages.end(), has_file);
  for (const auto& [name, value] : json.members()) {
    const std::optional<Stage> stage = read_stage_name(value);
    if (!stage) return;
    if (names_files && description.stages.count(*stage) == 0)
      return value.complain("\"entries\" names stage \"" + name + "\", which has no file");
    description.stages[*stage].entry_point = value.text();
  }
}

}  // namespace

const std::vector<std::string>& description_keys() {
  static const std::vector<std::string> keys = {"stages", "entries", "layout", "state", "noFragment"};
  return keys;
}

const std::vector<std::string>& stage_description_keys() {
  static const std::vector<std::string> keys = {"file", "entry", "specialization", "defines", "includes"};
  return keys;
}

PipelineDescription read_description(const StrictJson& json) {
  PipelineDescription description;
  if (const auto stages = json.find("stages"))
    for (const auto& [name, value] : stages->members())
      if (const std::optional<Stage> stage = read_stage_name(value)) description.stages[*stage] = read_stage(value);
  if (const auto entries = json.find("entries")) read_entries(*entries, description);
  if (const auto layout = json.find("layout")) {
    if (layout->is_string())
      description.layout_file = read_path(*layout);
    else
      description.layout = read_layout(*layout);
  }
  if (const auto state = json.find("state")) description.state = state::read_pipeline_state(*state);
  if (const auto no_fragment = json.find("noFragment"))
    description.state.no_fragment = no_fragment->flag() || description.state.no_fragment;
  return description;
}

Result<PipelineDescription> parse_description(std::string_view text, const std::string& file) {
  JsonProblem problem;
  const std::optional<nlohmann::json> root = parse_json(text, problem);
  if (!root) return json_error(text, file, problem);
  const StrictJson json(*root, problem);
  PipelineDescription description;
  const auto has = [&](const char* key) { return root->is_object() && root->contains(key); };
  if (has("stages") || has("layout") || has("state") || has("entries")) {
    if (json.is_object_of("a pipeline", description_keys())) description = read_description(json);
  } else {
    description.state = state::read_pipeline_state(json);
  }
  if (!problem.message.empty()) return json_error(text, file, problem);
  return description;
}

}  // namespace varylink::link
