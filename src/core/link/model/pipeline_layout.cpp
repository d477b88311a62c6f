#include "link/model/pipeline_layout.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/strict_json.h"

namespace varylink::link {
namespace {

bool contains(const std::vector<Stage>& stages, Stage stage) {
  return std::find(stages.begin(), stages.end(), stage) != stages.end();
}

std::vector<Stage> read_stages(const StrictJson& entry) {
  std::vector<Stage> result;
  const auto stages = entry.need("stages");
  if (!stages) return result;
  for (const StrictJson& name : stages->elements()) {
    const std::optional<Stage> stage = name.is_string() ? stage_from_short_name(name.text()) : std::nullopt;
    if (stage)
      result.push_back(*stage);
    else
      name.complain("\"stages\" names stages as vert, tesc, tese, geom, task, mesh, frag");
  }
  return result;
}

std::uint32_t read_number(const StrictJson& entry, const char* name) {
  const auto number = entry.need(name);
  return number ? number->number() : 0;
}

void read_binding(const StrictJson& entry, PipelineLayout& layout) {
  if (!entry.is_object_of("a binding", {"set", "binding", "stages"})) return;
  PipelineLayout::Binding given = {read_number(entry, "set"), read_number(entry, "binding"), read_stages(entry)};
  const auto is_same = [&](const auto& other) { return other.set == given.set && other.binding == given.binding; };
  if (std::any_of(layout.bindings.begin(), layout.bindings.end(), is_same))
    entry.complain("set " + std::to_string(given.set) + ", binding " + std::to_string(given.binding) + " stands twice");
  layout.bindings.push_back(std::move(given));
}

void read_range(const StrictJson& entry, PipelineLayout& layout) {
  constexpr std::uint64_t kEnd = std::uint64_t{1} << 32;
  if (!entry.is_object_of("a push constant range", {"offset", "size", "stages"})) return;
  PipelineLayout::PushConstantRange given = {read_number(entry, "offset"), read_number(entry, "size"),
                                             read_stages(entry)};
  if (std::uint64_t{given.offset} + given.size > kEnd) entry.complain("the range ends beyond 4 GiB");
  layout.push_constants.push_back(std::move(given));
}

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

bool PipelineLayout::shares_push_constant(Stage a, Stage b, std::uint32_t offset, std::uint64_t size) const {
  return std::any_of(push_constants.begin(), push_constants.end(), [&](const PushConstantRange& range) {
    return range.offset <= offset && offset - range.offset + size <= range.size && contains(range.stages, a) &&
           contains(range.stages, b);
  });
}

PipelineLayout common(const PipelineLayout& a, const PipelineLayout& b) {
  const auto in_both = [](const std::vector<Stage>& one, const std::vector<Stage>& other) {
    std::vector<Stage> both;
    std::copy_if(one.begin(), one.end(), std::back_inserter(both), [&](Stage stage) { return contains(other, stage); });
    return both;
  };
  PipelineLayout both;
  for (const auto& one : a.bindings)
    for (const auto& other : b.bindings)
      if (one.set == other.set && one.binding == other.binding)
        both.bindings.push_back({one.set, one.binding, in_both(one.stages, other.stages)});
  for (const auto& one : a.push_constants)
    for (const auto& other : b.push_constants) {
      const std::uint64_t start = std::max(one.offset, other.offset);
      const std::uint64_t end =
          std::min(std::uint64_t{one.offset} + one.size, std::uint64_t{other.offset} + other.size);
      if (start < end)
        both.push_constants.push_back({static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(end - start),
                                       in_both(one.stages, other.stages)});
    }
  return both;
}

PipelineLayout read_layout(const StrictJson& json) {
  PipelineLayout layout;
  if (!json.is_object_of("a layout", {"bindings", "pushConstants"})) return layout;
  if (const auto bindings = json.find("bindings"))
    for (const StrictJson& entry : bindings->elements()) read_binding(entry, layout);
  if (const auto ranges = json.find("pushConstants"))
    for (const StrictJson& entry : ranges->elements()) read_range(entry, layout);
  return layout;
}

Result<PipelineLayout> parse_layout(std::string_view text, const std::string& file) {
  JsonProblem problem;
  const std::optional<nlohmann::json> root = parse_json(text, problem);
  if (!root) return json_error(text, file, problem);
  PipelineLayout layout = read_layout({*root, problem});
  if (!problem.message.empty()) return json_error(text, file, problem);
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

std::string text(const std::optional<PipelineLayout>& layout) { return layout ? text(*layout) : std::string(); }

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
