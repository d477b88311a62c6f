#include "check/check.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "check/checks.h"
#include "link/rules/stage_order.h"
#include "spirv/tools/foreign_reader.h"
#include "spirv/tools/tools.h"

namespace varylink::check {
namespace {

// Whether no stage, readable or not, stands between the two.
bool is_next(const StageList& all, Stage stage, Stage next) {
  return std::none_of(all.begin(), all.end(),
                      [&](const link::NamedStage& other) { return other.stage > stage && other.stage < next; });
}

std::vector<const link::StageInput*> in_pipeline_order(const std::vector<link::StageInput>& inputs) {
  std::vector<const link::StageInput*> stages;
  for (const link::StageInput& stage : inputs) stages.push_back(&stage);
  std::stable_sort(stages.begin(), stages.end(), [](const auto* a, const auto* b) { return a->stage < b->stage; });
  return stages;
}

// `modules` owns what the view refers to.
Result<link::StageView> view_stage(const link::StageInput& input, Result<spirv::Module> module,
                                   std::deque<spirv::Module>& modules) {
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
  Result<spirv::Module> module = link::module_of(input, input.file);
  const auto valid = module ? spirv::validate_known(*module, input.words, options.validator, input.file)
                            : spirv::validate(input.words, options.validator, input.file);
  if (!valid) reporter.add(Rule::invalid_module, valid.error());
  const auto view = view_stage(input, std::move(module), stages.modules);
  if (!view) {
    if (valid) reporter.add(Rule::invalid_module, view.error());
    return;
  }
  stages.readable.push_back(*view);
  if (!valid) return;
  for (const Diagnostic& known : *valid) reporter.add(Rule::validator_known_issue, known);
  stages.valid.emplace_back(*view);
}

std::vector<Issue> named(std::vector<Issue> issues) {
  for (Issue& issue : issues) name_files(issue.diagnostic);
  return issues;
}

std::vector<Issue> broken_rules(Reporter& reporter) {
  std::vector<Issue> issues = reporter.take();
  std::erase_if(
      issues, [](const Issue& issue) { return issue.diagnostic.severity != Severity::error || is_limit(issue.rule); });
  return issues;
}

}  // namespace

std::vector<Issue> check_pipeline(const link::PipelineInput& pipeline, const CheckOptions& options) {
  Reporter reporter(options);
  StageList all;
  ReadStages read;
  for (const link::StageInput* input : in_pipeline_order(pipeline.stages)) {
    all.push_back({input->stage, input->file});
    read_stage(*input, options, read, reporter);
  }
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
  check_kinds(all, reporter);
  check_stage_set(read.readable, all, reporter);
  return named(reporter.take());
}

std::vector<Issue> exceeded_limits(const std::vector<link::StageInput>& stages, const CheckOptions& options) {
  Reporter reporter(options);
  for (const link::StageInput* input : in_pipeline_order(stages)) {
    std::deque<spirv::Module> module;
    const auto view = view_stage(*input, link::module_of(*input, input->file), module);
    if (!view) continue;
    const CheckedStage stage(*view);
    check_limits(stage, reporter);
    check_sizes(stage, reporter);
  }
  return named(reporter.take());
}

std::vector<Issue> broken_rules_of(const link::StageView& view) {
  const CheckOptions options;
  Reporter reporter(options);
  const CheckedStage stage(view);
  check_stage(stage, reporter);
  check_types(stage, reporter);
  check_code(stage, reporter);
  check_capture(stage, reporter);
  return broken_rules(reporter);
}

std::vector<Issue> broken_rules_among(const std::vector<link::StageView>& stages) {
  const CheckOptions options;
  Reporter reporter(options);
  for (std::size_t i = 1; i < stages.size(); ++i) check_primitive_id(stages[i - 1], stages[i], reporter);
  StageList all;
  for (const link::StageView& stage : stages) all.push_back({stage.entry.stage, stage.file});
  check_stage_set(stages, all, reporter);
  return broken_rules(reporter);
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
