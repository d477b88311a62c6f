// Rules about which stages stand together in one pipeline.
#include <algorithm>
#include <array>

#include "check/checks.h"
#include "check/modes.h"

namespace varylink::check {
namespace {

const link::StageView* find(const std::vector<link::StageView>& stages, Stage wanted) {
  const auto found = std::find_if(stages.begin(), stages.end(),
                                  [&](const link::StageView& stage) { return stage.entry.stage == wanted; });
  return found == stages.end() ? nullptr : &*found;
}

void report_about(Reporter& reporter, Rule rule, const link::StageView& stage, Message message) {
  reporter.report(rule, {&stage, 0, nullptr, 0, std::nullopt}, std::move(message));
}

// About a stage that need not be readable.
void report_about(Reporter& reporter, Rule rule, const link::NamedStage& stage, Message message) {
  link::StageView view;
  view.file = stage.file;
  reporter.report(rule, {&view, 0, nullptr, 0, std::nullopt}, std::move(message));
}

const link::NamedStage* find(const StageList& stages, Stage wanted) {
  const auto found =
      std::find_if(stages.begin(), stages.end(), [&](const link::NamedStage& stage) { return stage.stage == wanted; });
  return found == stages.end() ? nullptr : &*found;
}

struct ModeRow {
  spv::ExecutionMode mode;
  const char* name;
};

constexpr std::array<ModeRow, 3> kSubdivisions = {{{spv::ExecutionMode::Triangles, "triangles"},
                                                   {spv::ExecutionMode::Quads, "quads"},
                                                   {spv::ExecutionMode::Isolines, "isolines"}}};

const ModeRow* subdivision(const link::StageView& stage) {
  for (const ModeRow& row : kSubdivisions)
    if (has_mode(stage, row.mode)) return &row;
  return nullptr;
}

// Rule: the modes of tessellation may stand in either stage.
void check_tessellation(const link::StageView& control, const link::StageView& evaluation, Reporter& reporter) {
  const ModeRow* first = subdivision(control);
  const ModeRow* second = subdivision(evaluation);
  if (!first && !second)
    report_about(reporter, Rule::no_subdivision, evaluation,
                 "neither it nor " + control.file + " names triangles, quads or isolines");
  if (first && second && first != second)
    report_about(reporter, Rule::subdivision_differs, evaluation,
                 std::string("names ") + second->name + " but " + control.file + " names " + first->name);
  const auto size = mode_value(control, spv::ExecutionMode::OutputVertices);
  const auto other = mode_value(evaluation, spv::ExecutionMode::OutputVertices);
  if (!size && !other)
    report_about(reporter, Rule::no_patch_size, control,
                 "neither it nor " + evaluation.file + " says how many vertices a patch has");
  if (size && other && *size != *other)
    report_about(
        reporter, Rule::patch_size_differs, evaluation,
        "has patches of " + std::to_string(*other) + " vertices but " + control.file + " of " + std::to_string(*size));
}

// What the tessellator makes against what the geometry stage takes.
void check_geometry_input(const link::StageView* control, const link::StageView& evaluation,
                          const link::StageView& geometry, Reporter& reporter) {
  const auto either = [&](spv::ExecutionMode mode) {
    return has_mode(evaluation, mode) || (control && has_mode(*control, mode));
  };
  spv::ExecutionMode wanted = spv::ExecutionMode::Triangles;
  const char* name = "triangles";
  if (either(spv::ExecutionMode::PointMode)) {
    wanted = spv::ExecutionMode::InputPoints;
    name = "points";
  } else if (either(spv::ExecutionMode::Isolines)) {
    wanted = spv::ExecutionMode::InputLines;
    name = "lines";
  }
  if (has_mode(geometry, wanted)) return;
  report_about(reporter, Rule::geometry_input_primitive, geometry,
               "does not take " + std::string(name) + ", which is what " + evaluation.file + " makes");
}

void check_capturing_stages(const std::vector<link::StageView>& stages, const StageList& all, Reporter& reporter) {
  const link::StageView* first = nullptr;
  bool several = false;
  for (const link::StageView& stage : stages) {
    if (!stage.entry.captures) continue;
    several = first != nullptr;
    if (first)
      report_about(reporter, Rule::xfb_several_stages, stage, "captures, and so does " + first->file);
    else
      first = &stage;
  }
  const auto is_fragment = [](const link::NamedStage& stage) { return stage.stage == Stage::fragment; };
  const auto last = std::find_if_not(all.rbegin(), all.rend(), is_fragment);
  if (first && !several && last != all.rend() && last->stage != first->entry.stage)
    report_about(reporter, Rule::xfb_not_last_stage, *first,
                 "captures, but " + last->file + " is the last stage in front of the rasterizer");
}

}  // namespace

void check_kinds(const StageList& stages, Reporter& reporter) {
  const auto is_mesh = [](const link::NamedStage& stage) {
    return stage.stage == Stage::mesh || stage.stage == Stage::task;
  };
  const auto is_primitive = [&](const link::NamedStage& stage) {
    return stage.stage != Stage::fragment && !is_mesh(stage);
  };
  const auto mesh = std::find_if(stages.begin(), stages.end(), is_mesh);
  const auto primitive = std::find_if(stages.begin(), stages.end(), is_primitive);
  if (mesh != stages.end() && primitive != stages.end())
    report_about(reporter, Rule::stages_mixed, *mesh,
                 "stands in one pipeline with " + primitive->file + ", a stage of the other kind of pipeline");
  const link::NamedStage* control = find(stages, Stage::tess_control);
  const link::NamedStage* evaluation = find(stages, Stage::tess_eval);
  if (control && !evaluation)
    report_about(reporter, Rule::no_tess_eval, *control, "there is no tessellation evaluation stage");
  if (evaluation && !control)
    report_about(reporter, Rule::no_tess_control, *evaluation, "there is no tessellation control stage");
  // What is given may be a part of the pipeline, except by the letter.
  const bool pre_raster = reporter.options().strict && !stages.empty() && stages.front().stage != Stage::fragment;
  if (pre_raster && !find(stages, Stage::vertex) && !find(stages, Stage::mesh))
    report_about(reporter, Rule::no_first_stage, stages.front(),
                 mesh != stages.end() ? "there is no mesh stage" : "there is no vertex stage");
}

void check_stage_set(const std::vector<link::StageView>& stages, const StageList& all, Reporter& reporter) {
  const link::StageView* control = find(stages, Stage::tess_control);
  const link::StageView* evaluation = find(stages, Stage::tess_eval);
  const link::StageView* geometry = find(stages, Stage::geometry);
  if (control && evaluation) check_tessellation(*control, *evaluation, reporter);
  // The modes may stand in either tessellation stage, so both must be readable.
  const bool knows_modes = control || !find(all, Stage::tess_control);
  if (evaluation && geometry && knows_modes) check_geometry_input(control, *evaluation, *geometry, reporter);
  check_capturing_stages(stages, all, reporter);
}

}  // namespace varylink::check
