// Rules that one module has to keep for itself and that the SPIR-V validator does not check.
#include <algorithm>
#include <map>

#include "check/checks.h"
#include "check/modes.h"
#include "link/rules/match.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/built_ins.h"
#include "varyings/reflect/decoration_index.h"

namespace varylink::check {
namespace {

using varyings::Direction;

std::uint32_t output_index(const link::StageView& stage, spirv::Id variable) {
  return varyings::decorations_of(*stage.module, variable).value(spv::Decoration::Index).value_or(0);
}

void check_declarations(const CheckedStage& stage, const link::InterfaceModel& model, Reporter& reporter) {
  for (const link::Finding& finding : link::check_declarations(model)) {
    const Rule rule = rule_of(finding.rule, finding.direction);
    // Dual-source blending: the same location, told apart by Index.
    if (rule == Rule::overlap_output && output_index(stage.view, finding.id) != output_index(stage.view, finding.other))
      continue;
    reporter.report(rule, {&stage.view, finding.id, nullptr, 0, finding.slot}, finding.message);
  }
}

void check_leaves(const CheckedStage& stage, const link::InterfaceModel& model, Reporter& reporter) {
  const bool has_16bit = stage.view.module->has_capability(spv::Capability::StorageInputOutput16);
  for (const varyings::InterfaceVariable& variable : model.variables()) {
    const bool input = variable.direction == Direction::input;
    const std::string what = input ? "input " : "output ";
    const auto find = [&](auto predicate) {
      return std::find_if(variable.leaves.begin(), variable.leaves.end(), predicate);
    };
    const auto narrow = find([](const varyings::Leaf& leaf) { return leaf.scalar.width == 16; });
    if (narrow != variable.leaves.end() && !has_16bit)
      reporter.report(Rule::capability_16bit, {&stage.view, variable.id, nullptr, 0, narrow->slot},
                      what + link::describe(*narrow) + " needs the capability StorageInputOutput16");
    const bool may_be_patch = stage.view.entry.stage == (input ? Stage::tess_eval : Stage::tess_control);
    const auto patch = find([](const varyings::Leaf& leaf) { return leaf.patch; });
    if (patch != variable.leaves.end() && !may_be_patch)
      reporter.report(Rule::patch_in_wrong_stage, {&stage.view, variable.id, nullptr, 0, patch->slot},
                      what + link::describe(*patch) + " is decorated with Patch, which this stage has not");
  }
}

// Rules: the outer arrays of these outputs are sized by execution modes.
void check_array_sizes(const CheckedStage& stage, Reporter& reporter) {
  const Stage kind = stage.view.entry.stage;
  if (kind != Stage::tess_control && kind != Stage::mesh) return;
  for (const varyings::InterfaceVariable& variable : stage.outputs.variables()) {
    if (!variable.arrayed || variable.leaves.empty()) continue;
    const varyings::Leaf& leaf = variable.leaves.front();
    const auto mode = leaf.per_primitive ? spv::ExecutionMode::OutputPrimitivesEXT : spv::ExecutionMode::OutputVertices;
    const auto wanted = mode_value(stage.view, mode);
    const auto length = varyings::array_length(*stage.view.module, variable.type);
    if (!wanted || !length || *wanted == *length) continue;
    reporter.report(Rule::per_vertex_array_size, {&stage.view, variable.id, nullptr, 0, leaf.slot},
                    "output " + link::describe(leaf) + " has " + std::to_string(*length) +
                        " elements, the execution mode says " + std::to_string(*wanted));
  }
}

void check_duplicates(const CheckedStage& stage, Direction direction, Reporter& reporter) {
  std::map<spv::BuiltIn, spirv::Id> seen;
  for (const varyings::BuiltIn& built_in : stage.view.built_ins(direction)) {
    const auto [place, is_new] = seen.emplace(built_in.kind, built_in.variable);
    if (is_new) continue;
    const bool input = direction == Direction::input;
    reporter.report(input ? Rule::duplicate_built_in_input : Rule::duplicate_built_in_output,
                    {&stage.view, built_in.variable, nullptr, 0, std::nullopt},
                    std::string("the built-in ") + (input ? "input " : "output ") +
                        (built_in.name.empty() ? std::to_string(static_cast<int>(built_in.kind)) : built_in.name) +
                        " is declared twice");
  }
}

}  // namespace

void check_stage(const CheckedStage& stage, Reporter& reporter) {
  for (const link::InterfaceModel* model : {&stage.inputs, &stage.outputs}) {
    check_declarations(stage, *model, reporter);
    check_leaves(stage, *model, reporter);
  }
  check_array_sizes(stage, reporter);
  check_duplicates(stage, Direction::input, reporter);
  check_duplicates(stage, Direction::output, reporter);
}

}  // namespace varylink::check
