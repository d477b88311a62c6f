// Device limits (rules ).
#include <algorithm>
#include <map>
#include <set>

#include "check/checks.h"
#include "check/modes.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/built_ins.h"

namespace varylink::check {
namespace {

struct InterfaceLimit {
  const char* name;
  std::uint32_t components;
  bool built_ins_count;  // whether built-ins share the budget; for tessellation the specification leaves it open, so
                         // they do not
};

InterfaceLimit limit_of(Stage stage, varyings::Direction direction, const Limits& limits) {
  const bool input = direction == varyings::Direction::input;
  switch (stage) {
    case Stage::vertex:
      if (input) return {"maxVertexInputAttributes", limits.max_vertex_input_attributes * 4, false};
      return {"maxVertexOutputComponents", limits.max_vertex_output_components, true};
    case Stage::tess_control:
      if (input)
        return {"maxTessellationControlPerVertexInputComponents",
                limits.max_tessellation_control_per_vertex_input_components, false};
      return {"maxTessellationControlPerVertexOutputComponents",
              limits.max_tessellation_control_per_vertex_output_components, false};
    case Stage::tess_eval:
      if (input)
        return {"maxTessellationEvaluationInputComponents", limits.max_tessellation_evaluation_input_components, false};
      return {"maxTessellationEvaluationOutputComponents", limits.max_tessellation_evaluation_output_components, false};
    case Stage::geometry:
      if (input) return {"maxGeometryInputComponents", limits.max_geometry_input_components, true};
      return {"maxGeometryOutputComponents", limits.max_geometry_output_components, true};
    case Stage::mesh:
      if (!input) return {"maxMeshOutputComponents", limits.max_mesh_output_components, false};
      break;
    case Stage::fragment:
      if (input) return {"maxFragmentInputComponents", limits.max_fragment_input_components, true};
      break;
    case Stage::task: break;
  }
  return {"", 0xffffffffu, false};
}

// Components of the built-ins in the interface list, whether used or not.
std::uint32_t built_in_components(const link::StageView& stage, varyings::Direction direction) {
  std::uint32_t components = 0;
  for (const varyings::BuiltIn& built_in : stage.built_ins(direction)) {
    const auto length = varyings::array_length(*stage.module, built_in.type);
    const spirv::Id element = length ? spirv::element_type(*stage.module, built_in.type) : built_in.type;
    components += std::min(length.value_or(1), 256u) * std::max(spirv::component_count(*stage.module, element), 1u);
  }
  return components;
}

// ": 6 components too many; the largest are lights (24), color (4) and uv (2)". Names are looked at in the order of
// size, then of the alphabet.
std::string excess(const link::InterfaceModel& model, std::uint32_t components, std::uint32_t limit) {
  constexpr std::size_t kNamed = 3;
  std::map<std::string, std::uint32_t> sizes;
  for (const auto& [slot, uses] : model.slots())
    for (const link::SlotUse& use : uses) sizes[model.variables()[use.variable].name] += 1;
  sizes.erase("");
  std::vector<std::pair<std::string, std::uint32_t>> largest(sizes.begin(), sizes.end());
  std::stable_sort(largest.begin(), largest.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  if (largest.size() > kNamed) largest.resize(kNamed);
  const std::uint32_t many = components - limit;
  std::string text = ": " + std::to_string(many) + (many == 1 ? " component" : " components") + " too many";
  for (const auto& [name, size] : largest)
    text += (&name == &largest.front().first ? "; the largest are " : ", ") + name + " (" + std::to_string(size) + ")";
  return text;
}

void check_interface(const CheckedStage& stage, const link::InterfaceModel& model, varyings::Direction direction,
                     Reporter& reporter) {
  const InterfaceLimit limit = limit_of(stage.view.entry.stage, direction, reporter.options().limits);
  if (model.slots().empty()) return;
  const auto& [slot, uses] = *model.slots().rbegin();
  const Subject subject{&stage.view, model.id(uses.front()), nullptr, 0, slot};
  const std::string what = link::describe(model.leaf(uses.front())) + " at location " + varyings::text(slot);
  const std::uint32_t built_in = limit.built_ins_count ? built_in_components(stage.view, direction) : 0;
  const std::uint32_t components = slot.location * 4 + slot.component + 1 + built_in;
  if (slot.location >= limit.components / 4) {
    reporter.report(Rule::limit_locations, subject,
                    what + " is above location " + std::to_string(limit.components / 4) + ", the end that " +
                        limit.name + " sets" + excess(model, components, limit.components));
    return;
  }
  if (components <= limit.components) return;
  reporter.report(Rule::limit_components, subject,
                  what + " and " + std::to_string(built_in) + " built-in components are together above " + limit.name +
                      " (" + std::to_string(limit.components) + ")" + excess(model, components, limit.components));
}

struct Totals {
  std::uint32_t per_vertex = 0;
  std::uint32_t patch = 0;
};

Totals totals_of(const link::InterfaceModel& outputs) {
  Totals totals;
  for (const auto& [slot, uses] : outputs.slots())
    for (const link::SlotUse& use : uses) (outputs.leaf(use).patch ? totals.patch : totals.per_vertex) += 1;
  return totals;
}

void check_total(const CheckedStage& stage, Rule rule, std::uint64_t components, std::uint32_t limit, const char* name,
                 Reporter& reporter) {
  if (components <= limit) return;
  reporter.report(
      rule, {&stage.view, 0, nullptr, 0, std::nullopt},
      "writes " + std::to_string(components) + " components, above " + name + " (" + std::to_string(limit) + ")");
}

void check_totals(const CheckedStage& stage, Reporter& reporter) {
  const Limits& limits = reporter.options().limits;
  const Totals totals = totals_of(stage.outputs);
  const std::uint64_t vertices = mode_value(stage.view, spv::ExecutionMode::OutputVertices).value_or(1);
  if (stage.view.entry.stage == Stage::tess_control) {
    check_total(stage, Rule::limit_patch_components, totals.patch,
                limits.max_tessellation_control_per_patch_output_components,
                "maxTessellationControlPerPatchOutputComponents", reporter);
    check_total(stage, Rule::limit_control_total, totals.patch + vertices * totals.per_vertex,
                limits.max_tessellation_control_total_output_components, "maxTessellationControlTotalOutputComponents",
                reporter);
  } else if (stage.view.entry.stage == Stage::geometry) {
    check_total(stage, Rule::limit_geometry_total, vertices * totals.per_vertex,
                limits.max_geometry_total_output_components, "maxGeometryTotalOutputComponents", reporter);
  }
}

// Rule: without the capability the array that glslang always declares says nothing.
void check_distances(const CheckedStage& stage, varyings::Direction direction, Reporter& reporter) {
  const Limits& limits = reporter.options().limits;
  std::uint32_t clip = 0, cull = 0;
  for (const varyings::BuiltIn& built_in : stage.view.built_ins(direction)) {
    const std::uint32_t length = varyings::array_length(*stage.view.module, built_in.type).value_or(0);
    if (built_in.kind == spv::BuiltIn::ClipDistance && stage.view.module->has_capability(spv::Capability::ClipDistance))
      clip = std::max(clip, length);
    if (built_in.kind == spv::BuiltIn::CullDistance && stage.view.module->has_capability(spv::Capability::CullDistance))
      cull = std::max(cull, length);
  }
  const auto report = [&](Rule rule, std::uint64_t declared, std::uint32_t limit, const char* name) {
    if (declared <= limit) return false;
    reporter.report(
        rule, {&stage.view, 0, nullptr, 0, std::nullopt},
        "declares " + std::to_string(declared) + " distances, above " + name + " (" + std::to_string(limit) + ")");
    return true;
  };
  const bool too_many_clip = report(Rule::limit_clip_distances, clip, limits.max_clip_distances, "maxClipDistances");
  const bool too_many_cull = report(Rule::limit_cull_distances, cull, limits.max_cull_distances, "maxCullDistances");
  if (!too_many_clip && !too_many_cull)
    report(Rule::limit_combined_distances, std::uint64_t{clip} + cull, limits.max_combined_clip_and_cull_distances,
           "maxCombinedClipAndCullDistances");
}

}  // namespace

void check_limits(const CheckedStage& stage, Reporter& reporter) {
  check_interface(stage, stage.inputs, varyings::Direction::input, reporter);
  check_interface(stage, stage.outputs, varyings::Direction::output, reporter);
  check_totals(stage, reporter);
  check_distances(stage, varyings::Direction::input, reporter);
  check_distances(stage, varyings::Direction::output, reporter);
}

}  // namespace varylink::check
