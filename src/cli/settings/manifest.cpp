#include "cli/settings/manifest.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/nearest.h"
#include "cli/settings/json_place.h"
#include "cli/settings/stage_names.h"
#include "frontend/read_file.h"

namespace varylink::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// What is wrong with a line, and the path of the key that it is about; no message if nothing is wrong.
struct Problem {
  Problem() = default;
  Problem(std::string text, std::vector<std::string> key = {}) : message(std::move(text)), path(std::move(key)) {}
  Problem(const char* text) : message(text) {}
  bool empty() const { return message.empty(); }

  std::string message;
  std::vector<std::string> path;
  int column = 0;  // if there is no path
};

const std::vector<std::string> kKeys = {"name", "stages", "entries", "state", "noFragment"};

// Keys that begin like this belong to the application and its own tools.
constexpr std::string_view kOwnKey = "x-";

// JSON of one line. JSON lets a key stand twice and the last one win; for a stage that would hide a file, so `twice`
// gets the path of that key instead. Throws Json::parse_error.
Json parse_line(std::string_view text, std::vector<std::string>& twice) {
  std::vector<std::set<std::string>> keys;
  std::vector<std::string> path;
  const auto watch = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) {
      keys.emplace_back();
      path.emplace_back();
    }
    if (event == Json::parse_event_t::object_end) {
      keys.pop_back();
      path.pop_back();
    }
    if (event != Json::parse_event_t::key) return true;
    path.back() = value.get<std::string>();
    if (!keys.back().insert(path.back()).second) twice = path;
    return true;
  };
  return Json::parse(text, watch);
}

// "a, b and c"
std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

Problem check_keys(const Json& line) {
  for (const auto& [key, value] : line.items()) {
    if (key.starts_with(kOwnKey) || std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end()) continue;
    const std::string hint = did_you_mean(key, kKeys);
    return {"a pipeline has no key \"" + key + "\"" + (hint.empty() ? "; there are " + list_of(kKeys) : hint), {key}};
  }
  return {};
}

// A name becomes a path below the output folder, so every part of it must be a plain file name.
Problem check_name(const std::string& name) {
  if (name.empty()) return {"\"name\" is empty", {"name"}};
  for (const char c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == '\\')
      return {"\"name\" has a control character or a backslash", {"name"}};
  std::size_t start = 0;
  while (start <= name.size()) {
    const std::size_t end = std::min(name.find('/', start), name.size());
    const std::string part = name.substr(start, end - start);
    if (part.empty() || part == "." || part == "..")
      return {"\"name\" does not stay in the output folder: " + name, {"name"}};
    start = end + 1;
  }
  return {};
}

Problem read_stages(const Json& line, const fs::path& folder, PipelineSource& source) {
  const auto stages = line.find("stages");
  if (stages == line.end() || !stages->is_object() || stages->empty())
    return {"needs \"stages\", an object like {\"vert\": \"path\"}", {"stages"}};
  for (const auto& [key, value] : stages->items()) {
    const std::optional<Stage> stage = stage_from_short_name(key);
    if (!stage) return {"there is no stage \"" + key + "\"" + did_you_mean(key, stage_names()), {"stages", key}};
    if (!value.is_string() || value.get_ref<const std::string&>().empty())
      return {"stage \"" + key + "\" needs the path of a file", {"stages", key}};
    const std::string& path = value.get_ref<const std::string&>();
    source.files.push_back({path == "-" ? path : (folder / path).lexically_normal().string(), stage, {}});
  }
  return {};
}

Problem read_entries(const Json& line, PipelineSource& source) {
  const auto entries = line.find("entries");
  if (entries == line.end()) return {};
  if (!entries->is_object()) return {"\"entries\" must be an object like {\"vert\": \"main\"}", {"entries"}};
  for (const auto& [key, value] : entries->items()) {
    const std::optional<Stage> stage = stage_from_short_name(key);
    if (!stage) return {"there is no stage \"" + key + "\"" + did_you_mean(key, stage_names()), {"entries", key}};
    if (!value.is_string()) return {"\"entries\" must map stages to names: \"" + key + "\"", {"entries", key}};
    bool found = false;
    for (frontend::SourceFile& file : source.files) {
      if (file.stage != stage) continue;
      file.entry_point = value.get<std::string>();
      found = true;
    }
    if (!found) return {"\"entries\" names stage \"" + key + "\", which has no file", {"entries", key}};
  }
  return {};
}

Problem read_state(const Json& line, PipelineSource& source) {
  if (const auto given = line.find("state"); given != line.end()) {
    const Result<analysis::PipelineState> state = analysis::parse_pipeline_state(given->dump(), {});
    if (!state) return {"\"state\": " + state.error().message, {"state"}};
    source.state = *state;
  }
  const auto no_fragment = line.find("noFragment");
  if (no_fragment == line.end()) return {};
  if (!no_fragment->is_boolean()) return {"\"noFragment\" must be true or false", {"noFragment"}};
  source.state.no_fragment = source.state.no_fragment || no_fragment->get<bool>();
  return {};
}

Problem read_line(const Json& line, const fs::path& folder, PipelineSource& source) {
  if (!line.is_object()) return "is not a JSON object";
  if (Problem problem = check_keys(line); !problem.empty()) return problem;
  const auto name = line.find("name");
  if (name == line.end() || !name->is_string()) return "needs \"name\", a string";
  source.name = name->get<std::string>();
  if (Problem problem = check_name(source.name); !problem.empty()) return problem;
  if (Problem problem = read_stages(line, folder, source); !problem.empty()) return problem;
  if (Problem problem = read_entries(line, source); !problem.empty()) return problem;
  return read_state(line, source);
}

// Names that are taken, with the line of each.
using Names = std::map<std::string, int>;

Problem claim(Names& names, const std::string& name, int line) {
  const auto [place, fresh] = names.emplace(name, line);
  if (fresh) return {};
  return {"the name '" + name + "' is used before, on line " + std::to_string(place->second), {"name"}};
}

// Reads one line into `source`.
Problem parse_pipeline(std::string_view text, const fs::path& folder, PipelineSource& source) {
  std::vector<std::string> twice;
  try {
    const Json json = parse_line(text, twice);
    return twice.empty() ? read_line(json, folder, source)
                         : Problem("the key \"" + twice.back() + "\" stands twice", twice);
  } catch (const Json::parse_error& error) {
    Problem problem("is not JSON");
    problem.column = static_cast<int>(std::min(error.byte, text.size() + 1));
    return problem;
  }
}

Diagnostic line_error(const std::string& path, int line, std::string_view text, const Problem& problem) {
  const int column = problem.path.empty() ? problem.column : column_of_key(text, problem.path).value_or(0);
  const std::string place = column > 0 ? "column " + std::to_string(column) + ": " : "";
  Diagnostic diagnostic = make_error(ErrorKind::usage, frontend::display_name(path), place + problem.message);
  diagnostic.line = line;
  return diagnostic;
}

}  // namespace

Result<std::vector<PipelineSource>> parse_manifest(std::string_view text, const std::string& path) {
  const fs::path folder = path == "-" ? fs::path() : fs::path(path).parent_path();
  std::vector<PipelineSource> sources;
  Names names;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;

    PipelineSource source;
    Problem problem = parse_pipeline(line, folder, source);
    if (problem.empty()) problem = claim(names, source.name, number);
    if (!problem.empty()) return line_error(path, number, line, problem);
    sources.push_back(std::move(source));
  }
  if (sources.empty())
    return make_error(ErrorKind::usage, frontend::display_name(path), "the manifest has no pipeline");
  return sources;
}

Result<std::vector<PipelineSource>> read_manifest(const std::string& path) {
  const Result<std::string> text = frontend::read_file(path);
  if (!text) return text.error();
  return parse_manifest(*text, path);
}

}  // namespace varylink::cli
