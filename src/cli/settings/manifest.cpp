#include "cli/settings/manifest.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/strict_json.h"
#include "frontend/read_file.h"
#include "platform/path.h"

namespace varylink::cli {
namespace {

// A name becomes a path below the output folder, so every part of it must be a plain file name.
void check_name(const StrictJson& json) {
  const std::string name = json.is_string() ? json.value().get<std::string>() : std::string();
  if (name.empty()) return json.complain("\"name\" is empty");
  for (const char c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == '\\')
      return json.complain("\"name\" has a control character or a backslash");
  std::size_t start = 0;
  while (start <= name.size()) {
    const std::size_t end = std::min(name.find('/', start), name.size());
    const std::string part = name.substr(start, end - start);
    if (part.empty() || part == "." || part == "..")
      return json.complain("\"name\" does not stay in the output folder: " + name);
    start = end + 1;
  }
}

// Names that are taken, and those whose files would stand where a name that is taken needs a folder: both as they can
// be compared, with the line of each.
struct Names {
  std::map<std::string, int> taken, in_the_way;
};

// True for names of a pipeline's files: vert.spv, vert.spv.d.
bool is_result_name(std::string part) {
  constexpr std::string_view kRule = ".d", kModule = ".spv";
  if (part.ends_with(kRule)) part.resize(part.size() - kRule.size());
  if (!part.ends_with(kModule)) return false;
  return stage_from_short_name(part.substr(0, part.size() - kModule.size())).has_value();
}

// The pipelines whose files would be folders of the pipeline `name`: "a/b" for "a/b/vert.spv/c".
std::vector<std::string> pipelines_in_the_way(const std::string& name) {
  std::vector<std::string> pipelines;
  for (std::size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1))
    if (is_result_name(name.substr(slash + 1, name.find('/', slash + 1) - slash - 1)))
      pipelines.push_back(name.substr(0, slash));
  return pipelines;
}

std::string on_line(int line) { return " on line " + std::to_string(line); }

// Takes a name. What is wrong with it, empty if nothing is.
std::string take_name(const std::string& name, int line, Names& names) {
  const std::string own = platform::comparable(name);
  if (const auto [place, fresh] = names.taken.emplace(own, line); !fresh)
    return "the name '" + name + "' is used before," + on_line(place->second);
  if (const auto other = names.in_the_way.find(own); other != names.in_the_way.end())
    return "a result of '" + name + "' would stand where the pipeline" + on_line(other->second) + " needs a folder";
  for (const std::string& pipeline : pipelines_in_the_way(own)) {
    if (const auto other = names.taken.find(pipeline); other != names.taken.end())
      return "the name '" + name + "' leads through a result of the pipeline" + on_line(other->second);
    names.in_the_way.emplace(pipeline, line);
  }
  return {};
}

std::vector<std::string> line_keys() {
  std::vector<std::string> keys = {"name"};
  keys.insert(keys.end(), link::description_keys().begin(), link::description_keys().end());
  return keys;
}

// What a line says besides its name.
link::PipelineDescription read_line(const StrictJson& line, std::string& name) {
  if (!line.is_object()) {
    line.complain("is not a JSON object");
    return {};
  }
  if (!line.is_object_of("a pipeline", line_keys())) return {};
  const auto given = line.find("name");
  if (!given || !given->is_string()) {
    line.complain("needs \"name\", a string");
    return {};
  }
  name = given->value().get<std::string>();
  check_name(*given);
  const auto stages = line.find("stages");
  if (!stages || !stages->is_object() || stages->value().empty()) {
    (stages ? *stages : line).complain("needs \"stages\", an object like {\"vert\": \"path\"}");
    return {};
  }
  for (const auto& [stage, value] : stages->members())
    if (value.is_object() && !value.find("file")) value.complain("stage \"" + stage + "\" needs the path of a file");
  return link::read_description(line);
}

// A line of JSON in another shape than that of a manifest: what to do about it. Empty if it is only wrong.
std::string in_another_shape(std::string_view line, const JsonProblem& problem) {
  const char first = line[line.find_first_not_of(" \t\r")];
  const bool ends_open = problem.path.empty() && problem.offset > line.size();  // the parser wanted more than the line
  if (first == '[') return "is a JSON array; a manifest has one object a line: jq -c '.[]' FILE makes that of it";
  if (first == '{' && ends_open)
    return "the object does not end on its line; a manifest has one object a line: jq -c . FILE makes that of it";
  return {};
}

Result<PipelineSource> parse_pipeline(std::string_view text, const std::string& path, int number, Names& names) {
  JsonProblem problem;
  PipelineSource source;
  link::PipelineDescription description;
  const std::optional<nlohmann::json> json = parse_json(text, problem);
  if (std::string shape = in_another_shape(text, problem); !shape.empty()) {
    problem = {std::move(shape), {}, 0};
  } else if (json) {
    description = read_line({*json, problem}, source.name);
    std::string taken = problem.message.empty() ? take_name(source.name, number, names) : std::string();
    if (!taken.empty()) problem = {std::move(taken), {"name"}, 0};
  }
  if (!problem.message.empty()) return json_error(text, frontend::display_name(path), problem, number);
  if (const Result<void> described = describe(description, path, source); !described) return described.error();
  return source;
}

}  // namespace

Result<std::vector<PipelineSource>> parse_manifest(std::string_view text, const std::string& path) {
  std::vector<PipelineSource> sources;
  Names names;
  text = frontend::without_byte_order_mark(text);
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    Result<PipelineSource> source = parse_pipeline(line, path, number, names);
    if (!source) return source.error();
    sources.push_back(std::move(*source));
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
