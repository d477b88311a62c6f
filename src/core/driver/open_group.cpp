#include <algorithm>
#include <iterator>
#include <memory>
#include <set>

#include "check/check.h"
#include "driver/group_steps.h"
#include "driver/open_stage.h"
#include "link/rules/contract_facts.h"
#include "link/rules/layout_check.h"
#include "link/rules/pair_check.h"
#include "link/rules/stage_order.h"
#include "link/values/certain_buffers.h"
#include "prepare/recipes.h"
#include "specialize_state/apply_state.h"
#include "specialize_state/point_size.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/newer_module.h"
#include "varyings/reflect/built_ins.h"

namespace varylink::driver {
namespace {

using link::LinkedStage;

link::StageView view_of(const LinkedStage& stage) { return {&stage.module, stage.entry, stage.file}; }

// By module: state that holds in all of its pipelines.
std::vector<state::PipelineState> states_of(const link::GroupInput& group) {
  std::vector<std::optional<state::PipelineState>> common_state(group.modules.size());
  for (const link::GroupPipeline& pipeline : group.pipelines)
    for (const std::size_t module : pipeline.modules) {
      std::optional<state::PipelineState>& state = common_state[module];
      state = state ? common(*state, pipeline.state) : pipeline.state;
    }
  std::vector<state::PipelineState> states;
  for (const auto& state : common_state) states.push_back(state.value_or(state::PipelineState{}));
  return states;
}

// Results are checked against the input as it works with this state.
void apply_state(LinkedStage& stage) {
  stage.assumed = specialize_state::apply_state(stage.module, stage.entry, stage.state);
  if (stage.assumed == state::PipelineState{} && stage.state.samples != 1) return;
  auto original = std::make_shared<spirv::Module>(*stage.original_module);
  specialize_state::apply_state(*original, stage.entry, stage.state);
  stage.original_module = std::move(original);
  // The size of the patch bounds loops and decides branches of stages whose code is not folded otherwise.
  if (stage.assumed.patch_control_points) prepare::run_recipe(prepare::kFoldConstants, stage);
}

std::vector<spirv::Id> used_resources(const LinkedStage& stage) {
  const std::vector<spirv::Id> all = link::used_globals(view_of(stage));  // ascending
  std::vector<spirv::Id> used;
  std::copy_if(stage.kept_globals.begin(), stage.kept_globals.end(), std::back_inserter(used),
               [&](spirv::Id variable) { return std::binary_search(all.begin(), all.end(), variable); });
  return used;
}

void open_module(ModuleRecord& module, const FileRef& file, const link::LinkOptions& options,
                 const state::PipelineState& state) {
  const link::StageInput& input = *module.input;
  if (options.interrupted && options.interrupted()) {
    module.error = make_error(ErrorKind::interrupted, {}, "the program that links asked for an end");
    return;
  }
  Result<LinkedStage> stage = open_stage(file, input, options.validator, options.valid_words);
  if (!stage) {
    module.error = stage.error();
    if (!spirv::read_module(input.words, file)) module.newer = spirv::listed(spirv::newer_features(input.words));
    return;
  }
  stage->state = state;
  if (state != state::PipelineState{} || !input.specialization.empty()) {
    stage->used_as_it_came = used_resources(*stage);
    stage->certain_as_it_came = link::certain_ends(*stage);
  }
  module.stage = std::move(*stage);
}

bool writes_shading_rate(const ModuleRecord& module) {
  if (module.error) return false;
  const std::vector<varyings::BuiltIn> outputs =
      varyings::built_ins(module.stage.module, module.stage.entry, varyings::Direction::output);
  return std::any_of(outputs.begin(), outputs.end(), [](const varyings::BuiltIn& output) {
    return output.kind == spv::BuiltIn::PrimitiveShadingRateKHR;
  });
}

// With a shading rate a fragment covers several pixels, and has several places where inputs are interpolated, whatever
// the number of samples (rule ).
void forget_samples_beside_shading_rates(GroupRecords& group, const link::GroupInput& input) {
  for (const link::GroupPipeline& pipeline : input.pipelines)
    if (std::any_of(pipeline.modules.begin(), pipeline.modules.end(),
                    [&](std::size_t module) { return writes_shading_rate(group.modules[module]); }))
      for (const std::size_t module : pipeline.modules) group.modules[module].stage.state.samples.reset();
}

// A module that is newer than this build costs the user the optimization, not the pipeline.
void leave_unread(PipelineRecord& pipeline, std::vector<std::size_t> modules, const ModuleRecord& module) {
  Diagnostic warning =
      make_warning({}, "the pipeline is passed through as it came, unchecked: " + module.error->message);
  warning.module = module.error->module;
  pipeline.result.unchecked = module.newer;
  pipeline.result.diagnostics.push_back(std::move(warning));
  pipeline.unread = std::move(modules);
}

void start_pipeline(GroupRecords& group, PipelineRecord& pipeline) {
  std::vector<std::size_t> modules = pipeline.input->modules;
  std::stable_sort(modules.begin(), modules.end(), [&](std::size_t a, std::size_t b) {
    return group.modules[a].input->stage < group.modules[b].input->stage;
  });
  if (modules.empty()) return pipeline.reject(make_error(ErrorKind::usage, {}, "the pipeline has no stages"));
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const ModuleRecord& module = group.modules[modules[i]];
    if (i > 0 && group.modules[modules[i - 1]].input->stage == module.input->stage)
      return pipeline.reject(make_error(ErrorKind::usage, FileRef::of_module(modules[i]),
                                        "the pipeline already has a " + std::string(short_name(module.input->stage)) +
                                            " stage: " + FileRef::of_module(modules[i - 1])));
    if (!module.error) continue;
    if (!module.newer.empty()) return leave_unread(pipeline, std::move(modules), module);
    return pipeline.reject(*module.error);
  }
  const auto named = [&](std::size_t module) {
    return link::NamedStage{group.modules[module].input->stage, FileRef::of_module(module)};
  };
  for (std::size_t i = 1; i < modules.size(); ++i)
    if (auto wrong = link::check_stage_order(named(modules[i - 1]), named(modules[i])))
      return pipeline.reject(std::move(*wrong));
  pipeline.modules = std::move(modules);
}

// The given layout of this pipeline; nullptr if there is none, or if the options have the common part of several
// pipelines' layouts.
const link::PipelineLayout* layout_of(const GroupRecords& group, const PipelineRecord& pipeline) {
  if (pipeline.input->layout) return &*pipeline.input->layout;
  const bool is_common = std::any_of(group.pipelines.begin(), group.pipelines.end(),
                                     [](const PipelineRecord& each) { return each.input->layout.has_value(); });
  return !is_common && group.options->layout ? &*group.options->layout : nullptr;
}

// Rules of Vulkan that the modules of a group break as they came in, by module.
using BrokenRules = std::vector<std::vector<check::Issue>>;

BrokenRules broken_rules(const GroupRecords& group) {
  BrokenRules broken(group.modules.size());
  std::set<std::size_t> seen;
  for (const PipelineRecord& pipeline : group.pipelines)
    for (const std::size_t module : pipeline.modules)
      if (seen.insert(module).second) broken[module] = check::broken_rules_of(view_of(group.modules[module].stage));
  return broken;
}

// The rules of Vulkan that a pipeline breaks as it came in, beside what is said already (rule ). It stays as
// wrong as it was, and linking needs nothing of it.
void warn_of_broken_rules(const GroupRecords& group, const BrokenRules& broken, const PipelineRecord& pipeline,
                          Diagnostics& findings) {
  const auto add = [&](Diagnostic diagnostic) {
    const bool is_said = std::any_of(findings.begin(), findings.end(), [&](const Diagnostic& other) {
      return other.vuid == diagnostic.vuid && other.module == diagnostic.module && other.message == diagnostic.message;
    });
    if (is_said) return;
    diagnostic.severity = Severity::warning;
    diagnostic.kind = ErrorKind::none;
    findings.push_back(std::move(diagnostic));
  };
  std::vector<link::StageView> views;
  for (const std::size_t module : pipeline.modules) {
    for (const check::Issue& issue : broken[module]) add(issue.diagnostic);
    views.push_back(view_of(group.modules[module].stage));
  }
  for (const check::Issue& issue : check::broken_rules_among(views)) add(issue.diagnostic);
}

void check_inputs(const GroupRecords& group, const BrokenRules& broken, PipelineRecord& pipeline) {
  Diagnostics findings;
  const link::PipelineLayout* const layout = layout_of(group, pipeline);
  const bool tessellates = std::any_of(pipeline.modules.begin(), pipeline.modules.end(), [&](std::size_t module) {
    return group.modules[module].stage.stage == Stage::tess_eval;
  });
  for (const std::size_t module : pipeline.modules) {
    const Diagnostics& warnings = group.modules[module].stage.warnings;
    findings.insert(findings.end(), warnings.begin(), warnings.end());
    const LinkedStage& stage = group.modules[module].stage;
    const Diagnostics against =
        specialize_state::contradictions(stage.module, stage.entry, stage.file, pipeline.input->state, tessellates);
    findings.insert(findings.end(), against.begin(), against.end());
    if (!layout) continue;
    const Diagnostics unfit = link::layout_contradictions(view_of(stage), *layout);
    findings.insert(findings.end(), unfit.begin(), unfit.end());
  }
  for (std::size_t i = 1; i < pipeline.modules.size(); ++i) {
    const LinkedStage& producer = group.modules[pipeline.modules[i - 1]].stage;
    const LinkedStage& consumer = group.modules[pipeline.modules[i]].stage;
    link::InputCheck check;
    if (producer.stage == Stage::task)
      check.diagnostics = link::check_input_payload(view_of(producer), view_of(consumer));
    else
      check = link::check_input_pair(view_of(producer), view_of(consumer), group.options->strict);
    for (const varyings::Slot slot : check.unwritten) pipeline.unwritten.emplace(consumer.file, varyings::text(slot));
    findings.insert(findings.end(), check.diagnostics.begin(), check.diagnostics.end());
  }
  warn_of_broken_rules(group, broken, pipeline, findings);
  pipeline.add_findings(std::move(findings));
}

// By module: in every pipeline it is the last one in front of a rasterizer, or of nobody.
std::vector<bool> last_before_rasterizer(const GroupRecords& group) {
  std::vector<bool> is_last(group.modules.size(), true);
  for (const PipelineRecord& pipeline : group.pipelines)
    for (std::size_t i = 0; i < pipeline.modules.size(); ++i) {
      const bool is_end = i + 1 == pipeline.modules.size();
      const bool is_last_here = is_end ? pipeline.input->state.no_fragment
                                       : group.modules[pipeline.modules[i + 1]].stage.stage == Stage::fragment;
      if (!is_last_here) is_last[pipeline.modules[i]] = false;
    }
  return is_last;
}

// Only now it is known which stages draw.
void drop_point_sizes(GroupRecords& group) {
  if (group.options->level == link::Level::check) return;
  const std::vector<bool> is_last = last_before_rasterizer(group);
  for (std::size_t position = 0; position < group.modules.size(); ++position) {
    ModuleRecord& module = group.modules[position];
    LinkedStage& stage = module.stage;
    if (!module.is_used || !module.may_change() || !is_last[position]) continue;
    const auto reason = specialize_state::draws_no_points(stage.module, stage.entry, stage.state);
    if (!reason || !specialize_state::drop_point_size(stage.module, stage.entry)) continue;
    auto original = std::make_shared<spirv::Module>(*stage.original_module);
    specialize_state::drop_point_size(*original, stage.entry);
    stage.original_module = std::move(original);
    stage.assumed = state::combined(stage.assumed, *reason);
  }
}

void find_captures(GroupRecords& group) {
  for (const PipelineRecord& pipeline : group.pipelines) {
    bool captured = false;
    for (auto position = pipeline.modules.rbegin(); position != pipeline.modules.rend(); ++position) {
      LinkedStage& stage = group.modules[*position].stage;
      captured = captured || stage.entry.captures;
      stage.reaches_capture = stage.reaches_capture || captured;
    }
  }
}

void find_frozen(GroupRecords& group) {
  for (const PipelineRecord& pipeline : group.pipelines)
    for (const std::size_t module : pipeline.modules) group.modules[module].is_used = true;
  for (ModuleRecord& module : group.modules)
    if (module.is_used) module.frozen = reason_to_leave_alone(module.stage);
  for (const PipelineRecord& pipeline : group.pipelines)
    for (const std::size_t module : pipeline.unread)
      if (group.modules[module].is_used && group.modules[module].may_change())
        group.modules[module].frozen = "another pipeline needs it beside a module that cannot be read";
}

link::Link link_of(GroupRecords& group, const SharedInterface& interface) {
  link::Link link;
  const auto add = [&](std::vector<LinkedStage*>& side, std::size_t position) {
    ModuleRecord& module = group.modules[position];
    side.push_back(&module.stage);
    link.closed = link.closed && module.may_change();
  };
  for (const std::size_t module : interface.producers) {
    add(link.producers, module);
    link.closed = link.closed && !group.modules[module].is_open_ended;
  }
  for (const std::size_t module : interface.consumers) {
    add(link.consumers, module);
    link.closed = link.closed && !group.modules[module].is_open_started;
  }
  link.ends_here = interface.ends_here;
  const auto place = [](const std::vector<std::size_t>& list, std::size_t module) {
    return static_cast<std::size_t>(std::lower_bound(list.begin(), list.end(), module) - list.begin());
  };
  if (link.is_shared())
    for (const auto& [producer, consumer] : interface.pairs)
      link.pairs.emplace(place(interface.producers, producer), place(interface.consumers, consumer));
  link.report.producer = link.producers.front()->stage;
  link.report.consumer = link.consumers.empty() ? Stage::fragment : link.consumers.front()->stage;
  link.report.components = records_of(link);
  return link;
}

link::InterfaceReport report_before(const GroupRecords& group, const StagePair& stage_pair) {
  link::InterfaceReport report;
  const LinkedStage& producer = group.modules[stage_pair.producer].stage;
  const LinkedStage* consumer = stage_pair.consumer ? &group.modules[*stage_pair.consumer].stage : nullptr;
  report.producer = producer.stage;
  report.consumer = consumer ? consumer->stage : Stage::fragment;
  report.before = report.after = size_of_outputs(producer.module, producer.entry);
  report.components = records_of(producer, consumer);
  return report;
}

void make_interfaces(GroupRecords& group, const link::GroupInput& input) {
  std::vector<std::vector<std::size_t>> pipelines;
  for (const PipelineRecord& pipeline : group.pipelines) pipelines.push_back(pipeline.modules);
  GroupShape shape = shape_of(input, pipelines);
  for (const std::size_t module : shape.open_ended) group.modules[module].is_open_ended = true;
  for (const std::size_t module : shape.open_started) group.modules[module].is_open_started = true;
  for (SharedInterface& interface : shape.interfaces) {
    link::Link link = link_of(group, interface);
    group.interfaces.push_back({std::move(interface), std::move(link), {}});
  }
  for (std::size_t i = 0; i < pipelines.size(); ++i) {
    PipelineRecord& pipeline = group.pipelines[i];
    pipeline.stage_pairs = std::move(shape.pipelines[i]);
    for (const StagePair& stage_pair : pipeline.stage_pairs)
      pipeline.before.push_back(report_before(group, stage_pair));
  }
}

}  // namespace

GroupRecords open_group(const link::GroupInput& input, const link::LinkOptions& options,
                        const std::map<std::size_t, std::string>& left_alone) {
  GroupRecords group;
  group.options = &options;
  group.modules.resize(input.modules.size());
  group.pipelines.resize(input.pipelines.size());
  const std::vector<state::PipelineState> states = states_of(input);
  for (std::size_t i = 0; i < group.modules.size(); ++i) {
    group.modules[i].input = &input.modules[i];
    open_module(group.modules[i], FileRef::of_module(i), options, states[i]);
  }
  forget_samples_beside_shading_rates(group, input);
  for (ModuleRecord& module : group.modules)
    if (!module.error && options.level != link::Level::check && reason_to_leave_alone(module.stage).empty())
      apply_state(module.stage);
  for (std::size_t i = 0; i < group.pipelines.size(); ++i) {
    group.pipelines[i].input = &input.pipelines[i];
    start_pipeline(group, group.pipelines[i]);
  }
  const BrokenRules broken = broken_rules(group);
  for (PipelineRecord& pipeline : group.pipelines) check_inputs(group, broken, pipeline);
  find_captures(group);
  find_frozen(group);
  for (const auto& [module, reason] : left_alone) group.modules[module].frozen = reason;
  drop_point_sizes(group);
  make_interfaces(group, input);
  return group;
}

}  // namespace varylink::driver
