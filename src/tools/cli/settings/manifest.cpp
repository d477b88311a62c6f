#include "cli/settings/manifest.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/strict_json.h"
#include "cli/settings/pipeline_names.h"
#include "frontend/read_file.h"
#include "platform/path.h"

namespace varylink::cli {
namespace {

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

Result<PipelineSource> parse_pipeline(std::string_view text, const std::string& path, int number,
                                      PipelineNames& names) {
  JsonProblem problem;
  PipelineSource source;
  link::PipelineDescription description;
  const std::optional<nlohmann::json> json = parse_json(text, problem);
  if (std::string shape = in_another_shape(text, problem); !shape.empty()) {
    problem = {std::move(shape), {}, 0};
  } else if (json) {
    description = read_line({*json, problem}, source.name);
    if (problem.message.empty())
      if (std::string wrong = names.take(source.name, "on line " + std::to_string(number)); !wrong.empty())
        problem = {std::move(wrong), {"name"}, 0};
  }
  if (!problem.message.empty()) return json_error(text, frontend::display_name(path), problem, number);
  if (const Result<void> described = describe(description, path, source); !described) return described.error();
  return source;
}

}  // namespace

Result<std::vector<PipelineSource>> parse_manifest(std::string_view text, const std::string& path) {
  std::vector<PipelineSource> sources;
  PipelineNames names;
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
