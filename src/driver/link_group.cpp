#include "driver/link_group.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "driver/check_group.h"
#include "driver/clean_up.h"
#include "driver/group_shape.h"
#include "driver/interface_records.h"
#include "driver/lift_link.h"
#include "driver/prepare.h"
#include "driver/run_passes.h"
#include "link/conformance/pair_check.h"
#include "passes/pass.h"
#include "spirv/cleanup/fold_identities.h"
#include "spirv/tools/binary.h"
#include "varyings/lower/lower.h"

namespace varylink::driver {
namespace {

using link::Link;
using link::LinkedPipeline;
using link::LinkedStage;

using Modules = std::vector<std::size_t>;  // positions, in pipeline order

link::StageView view_of(const LinkedStage& stage) { return {&stage.module, stage.entry, stage.file}; }

// The task payload is memory, not a varying, and has no components to report (rule ).
bool has_varyings(const link::InterfaceReport& report) { return report.producer != Stage::task; }

class GroupLinker {
 public:
  GroupLinker(const link::GroupInput& group, const link::LinkOptions& options, const InterfaceObserver& observe)
      : group_(group),
        options_(options),
        observe_(observe),
        context_(options),
        stages_(group.modules.size()),
        errors_(group.modules.size()),
        unknown_(group.modules.size()),
        frozen_(group.modules.size()),
        pipelines_(group.pipelines.size()),
        warned_(group.pipelines.size()) {
    result_.modules.resize(group.modules.size());
    result_.pipelines.resize(group.pipelines.size());
  }

  link::LinkedGroup run() {
    open_modules();
    for (std::size_t i = 0; i < pipelines_.size(); ++i) start_pipeline(i);
    for (std::size_t i = 0; i < pipelines_.size(); ++i) check_inputs(i);
    find_captures();
    find_frozen();
    shape_ = shape_of(group_, pipelines_);
    make_links();
    if (options_.level == link::Level::check || is_passed_through())
      hand_back();
    else
      link_all();
    for (const auto& [index, modules] : unread_) {
      for (const std::size_t module : modules) result_.modules[module] = group_.modules[module].words;
      report_words(index, modules);
    }
    return std::move(result_);
  }

 private:
  void open_modules();
  // What holds in all pipelines of the module.
  analysis::PipelineState state_of(std::size_t module) const;
  void start_pipeline(std::size_t index);
  void check_inputs(std::size_t index);
  void leave_unread(std::size_t index, const Modules& modules, const Diagnostic& error);
  void find_captures();
  void find_frozen();
  bool is_passed_through() const;
  void hand_back();
  void link_all();

  void make_links();
  Link new_link(const SharedInterface& interface);
  void lift_links();
  std::string reason_to_fix(const Link& link, const LinkedStage& stage, varyings::Direction direction) const;
  void show_links(bool linked) const;
  bool run_all_passes();
  void lower_links();

  bool is_changed(const Link& link) const;
  std::set<const LinkedStage*> changed_stages() const;
  void write_modules();
  void write_pipeline(std::size_t index, ResultChecker& checker);
  void report_interfaces(std::size_t index);
  void report_words(std::size_t index, const Modules& modules);

  // The pipeline takes no part any more.
  void reject(std::size_t index, Diagnostic error) {
    LinkedPipeline& pipeline = result_.pipelines[index];
    pipeline.failure = error.kind;
    pipeline.diagnostics.push_back(std::move(error));
    drop(index);
  }
  void drop(std::size_t index) {
    pipelines_[index].clear();
    result_.pipelines[index].stages.clear();
    result_.pipelines[index].interfaces.clear();
  }
  void remark(std::size_t index, Stage stage, const std::string& message) {
    result_.pipelines[index].remarks.push_back({"link", std::string(short_name(stage)), message});
  }
  std::size_t index_of(const LinkedStage* stage) const { return static_cast<std::size_t>(stage - stages_.data()); }

  const link::GroupInput& group_;
  const link::LinkOptions& options_;
  const InterfaceObserver& observe_;
  passes::PassContext context_;
  std::vector<LinkedStage> stages_;                // by module; links point into it
  std::vector<std::optional<Diagnostic>> errors_;  // by module: why it cannot be read or written
  std::vector<bool> unknown_;                      // by module: an error that a newer build might not find
  std::vector<std::string> frozen_;                // by module: why it has to stay as it came
  std::set<std::size_t> used_;                     // modules of the pipelines that fit together
  std::vector<Modules> pipelines_;                 // empty once a pipeline has failed
  std::vector<std::set<std::pair<std::string, std::string>>> warned_;  // by pipeline: file and location never written
  std::vector<std::pair<std::size_t, Modules>> unread_;  // pipelines with a module that may be newer than this build
  GroupShape shape_;
  std::vector<Link> links_;                                 // by interface of the shape
  std::vector<DeclaredSlots> declared_before_;              // by link
  std::vector<std::vector<link::InterfaceReport>> before_;  // by pipeline and stage pair
  link::LinkedGroup result_;
};

void GroupLinker::open_modules() {
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const link::StageInput& input = group_.modules[i];
    Result<LinkedStage> stage =
        open_stage(input.file, input.stage, input.words, input.entry_point, options_.validator, options_.tool_cache);
    if (!stage) {
      errors_[i] = stage.error();
      unknown_[i] = !spirv::read_module(input.words, input.file) && spirv::is_complete_stream(input.words);
      continue;
    }
    stage->may_fold_identities = options_.level >= link::Level::motion && stage->stage == Stage::fragment &&
                                 spirv::allows_identities(stage->module);
    stage->state = state_of(i);
    stages_[i] = std::move(*stage);
  }
}

analysis::PipelineState GroupLinker::state_of(std::size_t module) const {
  std::optional<analysis::PipelineState> state;
  for (const link::GroupPipeline& pipeline : group_.pipelines)
    if (std::find(pipeline.modules.begin(), pipeline.modules.end(), module) != pipeline.modules.end())
      state = state ? common(*state, pipeline.state) : pipeline.state;
  return state.value_or(analysis::PipelineState{});
}

void GroupLinker::find_captures() {
  for (const Modules& modules : pipelines_) {
    bool captured = false;
    for (auto module = modules.rbegin(); module != modules.rend(); ++module) {
      captured = captured || stages_[*module].entry.captures;
      stages_[*module].reaches_capture = stages_[*module].reaches_capture || captured;
    }
  }
}

void GroupLinker::start_pipeline(std::size_t index) {
  Modules modules = group_.pipelines[index].modules;
  const auto& inputs = group_.modules;
  std::stable_sort(modules.begin(), modules.end(),
                   [&](std::size_t a, std::size_t b) { return inputs[a].stage < inputs[b].stage; });
  if (modules.empty())
    return reject(index, make_error(ErrorKind::usage, group_.pipelines[index].name, "the pipeline has no stages"));
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const link::StageInput& input = inputs[modules[i]];
    if (i > 0 && inputs[modules[i - 1]].stage == input.stage)
      return reject(index, make_error(ErrorKind::usage, input.file,
                                      "the pipeline already has a " + std::string(short_name(input.stage)) +
                                          " stage: " + inputs[modules[i - 1]].file));
    if (!errors_[modules[i]]) continue;
    if (unknown_[modules[i]]) return leave_unread(index, modules, *errors_[modules[i]]);
    return reject(index, *errors_[modules[i]]);
  }
  pipelines_[index] = std::move(modules);
}

void GroupLinker::check_inputs(std::size_t index) {
  LinkedPipeline& pipeline = result_.pipelines[index];
  const Modules& modules = pipelines_[index];
  for (const std::size_t module : modules)
    for (const Diagnostic& warning : stages_[module].warnings) pipeline.diagnostics.push_back(warning);
  for (std::size_t i = 1; i < modules.size(); ++i) {
    const LinkedStage& producer = stages_[modules[i - 1]];
    const LinkedStage& consumer = stages_[modules[i]];
    link::InputCheck check;
    if (producer.stage == Stage::task)
      check.diagnostics = link::check_input_payload(view_of(producer), view_of(consumer));
    else
      check = link::check_input_pair(view_of(producer), view_of(consumer), options_.strict);
    for (const varyings::Slot slot : check.unwritten) warned_[index].emplace(consumer.file, varyings::text(slot));
    for (Diagnostic& found : check.diagnostics) {
      if (found.severity == Severity::error) pipeline.failure = found.kind;
      pipeline.diagnostics.push_back(std::move(found));
    }
  }
  if (pipeline.failure != ErrorKind::none) drop(index);
}

// A module that may be newer than this build costs the user the optimization, not the pipeline.
void GroupLinker::leave_unread(std::size_t index, const Modules& modules, const Diagnostic& error) {
  LinkedPipeline& pipeline = result_.pipelines[index];
  pipeline.diagnostics.push_back(
      make_warning(error.file, "the pipeline is passed through as it came, unchecked: " + error.message));
  unread_.emplace_back(index, modules);
}

void GroupLinker::find_frozen() {
  for (const Modules& modules : pipelines_) used_.insert(modules.begin(), modules.end());
  for (const std::size_t module : used_) frozen_[module] = reason_to_leave_alone(stages_[module]);
  for (const auto& [index, modules] : unread_)
    for (const std::size_t module : modules)
      if (used_.count(module) != 0 && frozen_[module].empty())
        frozen_[module] = "another pipeline needs it beside a module that cannot be read";
}

// A pipeline that shares nothing stays as it is if one of its modules has to.
bool GroupLinker::is_passed_through() const {
  return pipelines_.size() == 1 &&
         std::any_of(frozen_.begin(), frozen_.end(), [](const std::string& reason) { return !reason.empty(); });
}

void GroupLinker::hand_back() {
  const bool checked = options_.level == link::Level::check;
  for (std::size_t i = 0; i < pipelines_.size(); ++i) {
    for (const std::size_t module : pipelines_[i]) {
      result_.modules[module] = stages_[module].original;
      if (checked || frozen_[module].empty()) continue;
      remark(i, stages_[module].stage, "the pipeline is passed through as it came: " + frozen_[module]);
      break;
    }
    for (const std::size_t module : pipelines_[i]) result_.modules[module] = stages_[module].original;
    for (link::InterfaceReport& report : before_[i]) {
      for (link::ComponentRecord& record : report.components)
        record.reason = checked ? "it was only checked" : "the pipeline is passed through as it came";
      if (has_varyings(report)) result_.pipelines[i].interfaces.push_back(std::move(report));
    }
    report_words(i, pipelines_[i]);
  }
}

Link GroupLinker::new_link(const SharedInterface& interface) {
  Link link;
  const auto place = [](const Modules& list, std::size_t module) {
    return static_cast<std::size_t>(std::lower_bound(list.begin(), list.end(), module) - list.begin());
  };
  for (const std::size_t module : interface.producers) link.producers.push_back(&stages_[module]);
  for (const std::size_t module : interface.consumers) link.consumers.push_back(&stages_[module]);
  if (link.is_shared())
    for (const auto& [producer, consumer] : interface.pairs)
      link.pairs.emplace(place(interface.producers, producer), place(interface.consumers, consumer));
  link.report.producer = link.producers.front()->stage;
  link.report.consumer = link.consumers.empty() ? Stage::fragment : link.consumers.front()->stage;
  link.report.components = records_of(link);
  for (const auto* list : {&interface.producers, &interface.consumers})
    for (const std::size_t module : *list) link.closed = link.closed && frozen_[module].empty();
  for (const std::size_t module : interface.producers)
    link.closed = link.closed && shape_.open_ended.count(module) == 0;
  return link;
}

void GroupLinker::make_links() {
  for (const SharedInterface& interface : shape_.interfaces) links_.push_back(new_link(interface));
  for (const std::vector<StagePair>& stage_pairs : shape_.pipelines) {
    auto& reports = before_.emplace_back();
    for (const StagePair& stage_pair : stage_pairs) {
      link::InterfaceReport& report = reports.emplace_back();
      const LinkedStage& producer = stages_[stage_pair.producer];
      const LinkedStage* consumer = stage_pair.consumer ? &stages_[*stage_pair.consumer] : nullptr;
      report.producer = producer.stage;
      report.consumer = consumer ? consumer->stage : Stage::fragment;
      report.before = report.after = size_of_outputs(producer);
      report.components = records_of(producer, consumer);
    }
  }
}

void GroupLinker::link_all() {
  const auto each_stage = [&](void (*work)(LinkedStage&)) {
    for (const std::size_t module : used_)
      if (frozen_[module].empty()) work(stages_[module]);
  };
  each_stage(prepare);
  lift_links();
  each_stage(clean_up_after_lift);
  show_links(false);
  if (!run_all_passes()) return;
  show_links(true);
  lower_links();
  for (Link& link : links_) link.report.follow_duplicates();
  write_modules();
  ResultChecker checker(stages_, result_.modules, options_);
  for (std::size_t i = 0; i < pipelines_.size(); ++i) write_pipeline(i, checker);
  // What no pipeline uses in the end is not handed out.
  std::set<std::size_t> used;
  for (const Modules& modules : pipelines_) used.insert(modules.begin(), modules.end());
  for (std::size_t i = 0; i < result_.modules.size(); ++i)
    if (used.count(i) == 0) result_.modules[i].clear();
}

std::string GroupLinker::reason_to_fix(const Link& link, const LinkedStage& stage,
                                       varyings::Direction direction) const {
  const auto is_like = [](const LinkedStage* other) {
    return [other](const LinkedStage* one) { return one->stage == other->stage; };
  };
  const auto stores_at_exits = [](const LinkedStage* one) {
    return one->stage == Stage::vertex || one->stage == Stage::tess_eval || one->stage == Stage::geometry;
  };
  const std::size_t module = index_of(&stage);
  if (!frozen_[module].empty()) return "the module stays as it came: " + frozen_[module];
  if (direction == varyings::Direction::output && shape_.open_ended.count(module) != 0)
    return "some pipeline does not say which stage comes behind this one";
  if (!link.consumers.empty() &&
      !std::all_of(link.consumers.begin(), link.consumers.end(), is_like(link.consumers.front())))
    return "stages of different kinds read this interface";
  if (!std::all_of(link.producers.begin(), link.producers.end(), is_like(link.producers.front())) &&
      !std::all_of(link.producers.begin(), link.producers.end(), stores_at_exits))
    return "stages of different kinds write this interface";
  return {};
}

void GroupLinker::lift_links() {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    const auto mismatches = lift_link(link, [&](const LinkedStage& stage, varyings::Direction direction) {
      return reason_to_fix(link, stage, direction);
    });
    declared_before_.push_back(declared_slots(link));
    for (const LiftMismatch& mismatch : mismatches) {
      const LinkedStage& producer = *link.producers[mismatch.producer];
      const LinkedStage& consumer = *link.consumers[mismatch.consumer];
      for (std::size_t p = 0; p < pipelines_.size(); ++p)
        for (const StagePair& stage_pair : shape_.pipelines[p])
          if (stage_pair.producer == index_of(&producer) && stage_pair.consumer == index_of(&consumer))
            result_.pipelines[p].diagnostics.push_back(
                make_warning(consumer.file, mismatch.message + " (" + producer.file + "); it is left alone"));
    }
  }
}

void GroupLinker::show_links(bool linked) const {
  if (!observe_) return;
  for (const Link& link : links_)
    if (!link.is_shared() && !link.consumers.empty()) observe_(link, linked);
}

bool GroupLinker::run_all_passes() {
  const Result<void> result = run_passes(stages_, links_, context_);
  for (std::size_t i = 0; i < pipelines_.size() && !result; ++i)
    if (!pipelines_[i].empty()) reject(i, result.error());
  return static_cast<bool>(result);
}

void GroupLinker::lower_links() {
  for (Link& link : links_) {
    if (link.placement.empty()) continue;
    std::vector<varyings::Varying> readers;
    for (const LinkedStage* consumer : link.consumers)
      for (const varyings::Varying& input : consumer->inputs)
        if (!link::find_varying(readers, input.slot)) readers.push_back(input);
    varyings::LowerRequest request;
    request.packed = &link.packed;
    request.placement = &link.placement;
    request.interpolates = link.consumer_interpolates();
    for (LinkedStage* producer : link.producers) {
      request.direction = varyings::Direction::output;
      request.varyings = &producer->outputs;
      request.readers = &readers;
      varyings::lower(producer->module, producer->entry, request);
    }
    for (LinkedStage* consumer : link.consumers) {
      request.direction = varyings::Direction::input;
      request.varyings = &consumer->inputs;
      varyings::lower(consumer->module, consumer->entry, request);
    }
  }
}

bool GroupLinker::is_changed(const Link& link) const {
  if (link.unrecorded_change) return true;
  // A stage may lose what others keep.
  if (link.is_shared() && declared_slots(link) != declared_before_[static_cast<std::size_t>(&link - links_.data())])
    return true;
  return std::any_of(link.report.components.begin(), link.report.components.end(),
                     [](const link::ComponentRecord& record) {
                       return record.fate != link::Fate::kept || record.new_slot != record.old_slot;
                     });
}

std::set<const LinkedStage*> GroupLinker::changed_stages() const {
  std::set<const LinkedStage*> changed;
  const auto add = [&](const Link& link) {
    for (const auto* side : {&link.producers, &link.consumers})
      for (const LinkedStage* stage : *side)
        if (frozen_[index_of(stage)].empty()) changed.insert(stage);
  };
  for (const Link& link : links_)
    if (is_changed(link)) add(link);
  // A stage that is written anew has other variables on all its interfaces, even if nothing moved on some of them.
  for (std::size_t before = 0; before != changed.size();) {
    before = changed.size();
    const auto is_written = [&](const LinkedStage* stage) { return changed.count(stage) != 0; };
    for (const Link& link : links_)
      if (std::any_of(link.producers.begin(), link.producers.end(), is_written) ||
          std::any_of(link.consumers.begin(), link.consumers.end(), is_written))
        add(link);
  }
  return changed;
}

void GroupLinker::write_modules() {
  const std::set<const LinkedStage*> changed = changed_stages();
  for (Link& link : links_) link.restore_declared_slots(changed.count(link.producers.front()) != 0);
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    LinkedStage& stage = stages_[i];
    // A stage whose interfaces stay as they are is passed through word for word.
    result_.modules[i] = stage.original;
    if (changed.count(&stage) == 0) continue;
    finish(stage, options_.strip_unused_resources, options_.strip_unused_attributes);
    restore_other_entries(stage);
    result_.modules[i] = spirv::write_module(stage.module);
    const auto valid =
        spirv::validate(result_.modules[i], options_.validator, stage.file, {stage.tool_cache, stage.stage});
    if (!valid)
      errors_[i] = make_error(ErrorKind::verification_failed, stage.file,
                              "the linked module is not valid: " + valid.error().message, valid.error().vuid);
  }
}

void GroupLinker::write_pipeline(std::size_t index, ResultChecker& checker) {
  const Modules modules = pipelines_[index];
  for (const std::size_t module : modules)
    if (errors_[module]) return reject(index, *errors_[module]);
  LinkedPipeline& pipeline = result_.pipelines[index];
  for (Diagnostic& found : checker.check(modules)) {
    if (found.severity == Severity::error) pipeline.failure = found.kind;
    pipeline.diagnostics.push_back(std::move(found));
  }
  if (pipeline.failure != ErrorKind::none) return drop(index);
  for (const std::size_t module : modules)
    if (!frozen_[module].empty())
      remark(index, stages_[module].stage, "the module stays as it came: " + frozen_[module]);
  report_interfaces(index);
  report_words(index, pipelines_[index]);
}

void GroupLinker::report_interfaces(std::size_t index) {
  LinkedPipeline& pipeline = result_.pipelines[index];
  std::set<std::size_t> told;  // interfaces
  for (std::size_t i = 0; i < before_[index].size(); ++i) {
    const StagePair& stage_pair = shape_.pipelines[index][i];
    const Link& link = links_[stage_pair.interface];
    const LinkedStage& producer = stages_[stage_pair.producer];
    const LinkedStage* consumer = stage_pair.consumer ? &stages_[*stage_pair.consumer] : nullptr;
    link::InterfaceReport report = std::move(before_[index][i]);
    if (link.is_shared()) {
      const auto place = std::find(link.producers.begin(), link.producers.end(), &producer) - link.producers.begin();
      fill_pair_records(report.components, link, static_cast<std::size_t>(place), consumer);
    } else {
      report.components = link.report.components;
    }
    if (is_changed(link)) report.after = size_of_outputs(producer);
    if (has_varyings(report)) pipeline.interfaces.push_back(std::move(report));
    if (!told.insert(stage_pair.interface).second) continue;
    pipeline.remarks.insert(pipeline.remarks.end(), link.remarks.begin(), link.remarks.end());
    for (const auto& [change, components] : link.layout_gains)
      pipeline.remarks.push_back({"propagate-uniforms", std::string(short_name(link.report.consumer)),
                                  std::to_string(components) + (components == 1 ? " component" : " components") +
                                      " more could be evaluated by this stage, given " + change});
    for (const Diagnostic& warning : link.warnings)
      if ((!link.is_shared() || (consumer && warning.file == consumer->file)) &&
          warned_[index].count({warning.file, warning.location}) == 0)
        pipeline.diagnostics.push_back(warning);
  }
}

void GroupLinker::report_words(std::size_t index, const Modules& modules) {
  for (const std::size_t module : modules)
    result_.pipelines[index].stages.push_back({group_.modules[module].stage, result_.modules[module]});
}

}  // namespace

link::LinkedGroup link_group(const link::GroupInput& group, const link::LinkOptions& options,
                             const InterfaceObserver& observe) {
  return GroupLinker(group, options, observe).run();
}

}  // namespace varylink::driver
