#include "check/check.h"

#include <algorithm>
#include <deque>

#include "check/checks.h"
#include "spirv/tools/binary.h"

namespace varylink::check {
namespace {

// Whether `next` takes what `stage` writes.
bool feeds(Stage stage, Stage next) {
  switch (stage) {
    case Stage::vertex: return next == Stage::tess_control || next == Stage::geometry || next == Stage::fragment;
    case Stage::tess_control: return next == Stage::tess_eval;
    case Stage::tess_eval: return next == Stage::geometry || next == Stage::fragment;
    case Stage::geometry: return next == Stage::fragment;
    case Stage::task: return next == Stage::mesh;
    case Stage::mesh: return next == Stage::fragment;
    case Stage::fragment: return false;
  }
  return false;
}

// The stages that can be read, in pipeline order. `modules` owns what they refer to.
std::vector<CheckedStage> read_stages(const link::PipelineInput& pipeline, const CheckOptions& options,
                                      std::deque<spirv::Module>& modules, Reporter& reporter) {
  std::vector<const link::StageInput*> inputs;
  for (const link::StageInput& stage : pipeline.stages) inputs.push_back(&stage);
  std::sort(inputs.begin(), inputs.end(), [](const auto* a, const auto* b) { return a->stage < b->stage; });
  std::vector<CheckedStage> stages;
  for (const link::StageInput* input : inputs) {
    if (const auto valid = spirv::validate(input->words, options.validator, input->file); !valid) {
      reporter.add(Rule::invalid_module, valid.error());
      continue;
    }
    auto module = spirv::read_module(input->words, input->file);
    if (!module) {
      reporter.add(Rule::invalid_module, module.error());
      continue;
    }
    modules.push_back(std::move(*module));
    auto view = link::view_of(modules.back(), input->stage, input->entry_point, input->file);
    if (!view) {
      reporter.add(Rule::invalid_module, view.error());
      continue;
    }
    stages.emplace_back(*view);
  }
  return stages;
}

}  // namespace

std::vector<Issue> check_pipeline(const link::PipelineInput& pipeline, const CheckOptions& options) {
  Reporter reporter(options);
  std::deque<spirv::Module> modules;
  const std::vector<CheckedStage> stages = read_stages(pipeline, options, modules, reporter);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    check_stage(stages[i], reporter);
    check_limits(stages[i], reporter);
    check_capture(stages[i], reporter);
    if (i > 0 && feeds(stages[i - 1].view.entry.stage, stages[i].view.entry.stage))
      check_stages(stages[i - 1], stages[i], reporter);
  }
  // With a stage left out, what is missing would be our own doing.
  if (stages.size() == pipeline.stages.size()) check_stage_set(stages, reporter);
  return reporter.take();
}

ErrorKind worst_kind(const std::vector<Issue>& issues) {
  ErrorKind worst = ErrorKind::none;
  for (const Issue& issue : issues) {
    if (issue.diagnostic.severity != Severity::error) continue;
    // A module that cannot be trusted outweighs what was found in the others.
    if (issue.diagnostic.kind != ErrorKind::interface_mismatch) return issue.diagnostic.kind;
    worst = ErrorKind::interface_mismatch;
  }
  return worst;
}

}  // namespace varylink::check
