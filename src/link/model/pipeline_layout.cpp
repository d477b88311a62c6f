#include "link/model/pipeline_layout.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/nearest.h"

namespace varylink::link {
namespace {

using nlohmann::json;

bool contains(const std::vector<Stage>& stages, Stage stage) {
  return std::find(stages.begin(), stages.end(), stage) != stages.end();
}

// Reads one layout file; the first thing that is wrong stays in `problem`.
class LayoutReader {
 public:
  std::string problem;

  PipelineLayout read(const json& root) {
    PipelineLayout layout;
    only_members(root, {"bindings", "pushConstants"});
    for (const json& entry : list(root, "bindings")) {
      only_members(entry, {"set", "binding", "stages"});
      layout.bindings.push_back({number(entry, "set"), number(entry, "binding"), stages(entry)});
    }
    for (const json& entry : list(root, "pushConstants")) {
      only_members(entry, {"offset", "size", "stages"});
      layout.push_constants.push_back({number(entry, "offset"), number(entry, "size"), stages(entry)});
    }
    return layout;
  }

 private:
  void complain(std::string message) {
    if (problem.empty()) problem = std::move(message);
  }

  void only_members(const json& object, std::initializer_list<const char*> known) {
    if (!object.is_object()) return complain("a layout is made of objects");
    for (const auto& [name, value] : object.items())
      if (std::none_of(known.begin(), known.end(), [&name = name](const char* other) { return name == other; }))
        complain("'" + name + "' is not a member of a layout" + did_you_mean(name, {known.begin(), known.end()}));
  }

  json list(const json& object, const char* name) {
    const auto found = object.is_object() ? object.find(name) : object.end();
    if (!object.is_object() || found == object.end()) return json::array();
    if (found->is_array()) return *found;
    complain("'" + std::string(name) + "' is not a list");
    return json::array();
  }

  std::uint32_t number(const json& object, const char* name) {
    const auto found = object.is_object() ? object.find(name) : object.end();
    if (object.is_object() && found != object.end() && found->is_number_unsigned() &&
        found->get<std::uint64_t>() <= 0xffffffffu)
      return found->get<std::uint32_t>();
    complain("'" + std::string(name) + "' is not a number from 0 to 4294967295");
    return 0;
  }

  std::vector<Stage> stages(const json& object) {
    std::vector<Stage> result;
    for (const json& name : list(object, "stages")) {
      const std::optional<Stage> stage =
          name.is_string() ? stage_from_short_name(name.get<std::string>()) : std::nullopt;
      if (stage)
        result.push_back(*stage);
      else
        complain("'stages' names stages as vert, tesc, tese, geom, task, mesh, frag");
    }
    return result;
  }
};

std::string names_of(const std::vector<Stage>& stages) {
  std::string result;
  for (const Stage stage : stages) result += " " + std::string(short_name(stage));
  return result;
}

}  // namespace

bool PipelineLayout::reaches(Stage stage, std::uint32_t set, std::uint32_t binding) const {
  return std::any_of(bindings.begin(), bindings.end(), [&](const Binding& entry) {
    return entry.set == set && entry.binding == binding && contains(entry.stages, stage);
  });
}

bool PipelineLayout::shares_push_constant(Stage a, Stage b, std::uint32_t offset) const {
  return std::any_of(push_constants.begin(), push_constants.end(), [&](const PushConstantRange& range) {
    return range.offset <= offset && offset - range.offset + 4ull <= range.size && contains(range.stages, a) &&
           contains(range.stages, b);
  });
}

Result<PipelineLayout> parse_layout(std::string_view text, const std::string& file) {
  const json root = json::parse(text, nullptr, false);
  if (root.is_discarded()) return make_error(ErrorKind::usage, file, "is not JSON");
  LayoutReader reader;
  PipelineLayout layout = reader.read(root);
  if (!reader.problem.empty()) return make_error(ErrorKind::usage, file, reader.problem);
  return layout;
}

std::string text(const PipelineLayout& layout) {
  std::string result;
  const auto add = [&](const std::string& part) { result += (result.empty() ? "" : "; ") + part; };
  for (const auto& entry : layout.bindings)
    add(std::to_string(entry.set) + "." + std::to_string(entry.binding) + names_of(entry.stages));
  for (const auto& range : layout.push_constants)
    add("push " + std::to_string(range.offset) + "+" + std::to_string(range.size) + names_of(range.stages));
  return result;
}

std::string stage_flag(Stage stage) {
  switch (stage) {
    case Stage::vertex: return "VK_SHADER_STAGE_VERTEX_BIT";
    case Stage::tess_control: return "VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT";
    case Stage::tess_eval: return "VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT";
    case Stage::geometry: return "VK_SHADER_STAGE_GEOMETRY_BIT";
    case Stage::task: return "VK_SHADER_STAGE_TASK_BIT_EXT";
    case Stage::mesh: return "VK_SHADER_STAGE_MESH_BIT_EXT";
    case Stage::fragment: return "VK_SHADER_STAGE_FRAGMENT_BIT";
  }
  return {};
}

}  // namespace varylink::link
