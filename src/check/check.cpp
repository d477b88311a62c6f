#include "check/check.h"

#include <algorithm>
#include <deque>

#include "check/checks.h"
#include "link/conformance/stage_order.h"
#include "spirv/tools/binary.h"

namespace varylink::check {
namespace {

// Whether no stage, readable or not, stands between the two.
bool is_next(const StageList& all, Stage stage, Stage next) {
  return std::none_of(all.begin(), all.end(),
                      [&](const link::StageInput* other) { return other->stage > stage && other->stage < next; });
}

StageList in_pipeline_order(const std::vector<link::StageInput>& inputs) {
  StageList stages;
  for (const link::StageInput& stage : inputs) stages.push_back(&stage);
  std::stable_sort(stages.begin(), stages.end(), [](const auto* a, const auto* b) { return a->stage < b->stage; });
  return stages;
}

// `modules` owns what the view refers to.
Result<link::StageView> view_stage(const link::StageInput& input, std::deque<spirv::Module>& modules) {
  Result<spirv::Module> module = spirv::read_module(input.words, input.file);
  if (!module) return module.error();
  modules.push_back(std::move(*module));
  return link::view_of(modules.back(), input.stage, input.entry_point, input.file);
}

// Stages in pipeline order. `modules` owns what they refer to.
struct ReadStages {
  std::deque<spirv::Module> modules;
  std::vector<CheckedStage> valid;
  std::vector<link::StageView> readable;  // the valid ones, and those of which nothing but the modes can be trusted
};

void read_stage(const link::StageInput& input, const CheckOptions& options, ReadStages& stages, Reporter& reporter) {
  const auto valid = spirv::validate(input.words, options.validator, input.file);
  if (!valid) reporter.add(Rule::invalid_module, valid.error());
  const auto view = view_stage(input, stages.modules);
  if (!view) {
    if (valid) reporter.add(Rule::invalid_module, view.error());
    return;
  }
  stages.readable.push_back(*view);
  if (!valid) return;
  for (const Diagnostic& known : *valid) reporter.add(Rule::validator_known_issue, known);
  stages.valid.emplace_back(*view);
}

}  // namespace

std::vector<Issue> check_pipeline(const link::PipelineInput& pipeline, const CheckOptions& options) {
  Reporter reporter(options);
  const StageList all = in_pipeline_order(pipeline.stages);
  ReadStages read;
  for (const link::StageInput* input : all) read_stage(*input, options, read, reporter);
  const std::vector<CheckedStage>& stages = read.valid;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    check_stage(stages[i], reporter);
    check_types(stages[i], reporter);
    check_code(stages[i], reporter);
    check_limits(stages[i], reporter);
    check_sizes(stages[i], reporter);
    check_capture(stages[i], reporter);
    if (i > 0 && link::feeds(stages[i - 1].view.entry.stage, stages[i].view.entry.stage) &&
        is_next(all, stages[i - 1].view.entry.stage, stages[i].view.entry.stage))
      check_stages(stages[i - 1], stages[i], reporter);
  }
  check_stage_set(read.readable, all, reporter);
  return reporter.take();
}

std::vector<Issue> exceeded_limits(const std::vector<link::StageInput>& stages, const CheckOptions& options) {
  Reporter reporter(options);
  for (const link::StageInput* input : in_pipeline_order(stages)) {
    std::deque<spirv::Module> module;
    const auto view = view_stage(*input, module);
    if (!view) continue;
    const CheckedStage stage(*view);
    check_limits(stage, reporter);
    check_sizes(stage, reporter);
  }
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
