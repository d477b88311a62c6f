#include "driver/link_interfaces.h"

#include <algorithm>
#include <set>

#include "driver/recipes.h"
#include "driver/run_passes.h"
#include "driver/scalarize_link.h"
#include "passes/pass.h"
#include "specialize_state/attribute_ranges.h"
#include "varyings/reflect/output_owner.h"
#include "varyings/vectorize/vectorize_io.h"

namespace varylink::driver {
namespace {

using link::Link;
using link::LinkedStage;

void run_on_all(const Recipe& recipe, GroupRecords& group) {
  for (ModuleRecord& module : group.modules)
    if (module.is_used && module.may_change()) run_recipe(recipe, module.stage);
}

// Why nothing may change on the side of an interface that all its stages have in common; empty if it may.
std::string reason_to_fix_all(const Link& link) {
  const auto is_like = [](const LinkedStage* other) {
    return [other](const LinkedStage* one) { return one->stage == other->stage; };
  };
  const auto stores_at_exits = [](const LinkedStage* one) { return varyings::has_private_outputs(one->stage); };
  if (!link.consumers.empty() &&
      !std::all_of(link.consumers.begin(), link.consumers.end(), is_like(link.consumers.front())))
    return "stages of different kinds read this interface";
  if (!std::all_of(link.producers.begin(), link.producers.end(), is_like(link.producers.front())) &&
      !std::all_of(link.producers.begin(), link.producers.end(), stores_at_exits))
    return "stages of different kinds write this interface";
  return {};
}

FixReasons fix_reasons(const GroupRecords& group, const InterfaceRecord& interface) {
  const std::string of_all = reason_to_fix_all(interface.link);
  FixReasons reasons;
  const auto frozen = [](const ModuleRecord& module) { return "the module stays as it came: " + module.frozen; };
  for (const std::size_t position : interface.modules.producers) {
    const ModuleRecord& module = group.modules[position];
    reasons.producers.push_back(!module.may_change()   ? frozen(module)
                                : module.is_open_ended ? "some pipeline does not say which stage comes behind this one"
                                                       : of_all);
  }
  for (const std::size_t position : interface.modules.consumers) {
    const ModuleRecord& module = group.modules[position];
    reasons.consumers.push_back(!module.may_change() ? frozen(module)
                                : module.is_open_started
                                    ? "some pipeline does not say which stage comes in front of this one"
                                    : of_all);
  }
  return reasons;
}

// Every pipeline with the two stages hears of it.
void warn(GroupRecords& group, const InterfaceRecord& interface, const ScalarizeMismatch& mismatch) {
  const std::size_t producer = interface.modules.producers[mismatch.producer];
  const std::size_t consumer = interface.modules.consumers[mismatch.consumer];
  for (PipelineRecord& pipeline : group.pipelines)
    for (const StagePair& stage_pair : pipeline.stage_pairs)
      if (stage_pair.producer == producer && stage_pair.consumer == consumer)
        pipeline.result.diagnostics.push_back(
            make_warning(group.modules[consumer].stage.file,
                         mismatch.message + " (" + group.modules[producer].stage.file + "); it is left alone"));
}

void assume_formats(LinkedStage& stage, const specialize_state::Formats& formats) {
  if (formats.empty()) return;
  stage.assumed.attribute_formats.insert(formats.begin(), formats.end());
  run_recipe(kFoldConstants, stage);
}

// Of stages that no fact about the pipeline has changed so far.
void note_positions(GroupRecords& group) {
  if (!group.options->tells_positions) return;
  for (ModuleRecord& module : group.modules)
    if (module.is_used && module.may_change() && module.stage.stage == Stage::vertex &&
        module.stage.assumed == analysis::PipelineState{})
      module.built_ins_before = module.built_in_code();
}

// The fragment stage that alone reads what the vertex stage writes.
LinkedStage* only_reader(GroupRecords& group, const LinkedStage& stage) {
  for (InterfaceRecord& interface : group.interfaces) {
    if (interface.link.is_shared() || interface.link.consumers.empty()) continue;
    if (interface.link.producers.front() != &stage) continue;
    return group.modules[interface.modules.consumers.front()].may_change() ? interface.link.consumers.front() : nullptr;
  }
  return nullptr;
}

// Operations that vertex formats decide are visible once locals are values.
void decide_by_formats(GroupRecords& group) {
  for (ModuleRecord& module : group.modules) {
    if (!module.is_used || !module.may_change()) continue;
    LinkedStage& stage = module.stage;
    const specialize_state::DecidedByAttributes decided =
        specialize_state::decide_by_attribute_ranges(stage.module, stage.entry, stage.state);
    assume_formats(stage, decided.formats);
    if (decided.outputs.empty()) continue;
    if (LinkedStage* reader = only_reader(group, stage))
      assume_formats(*reader, specialize_state::decide_by_flat_inputs(reader->module, reader->entry, decided.outputs,
                                                                      stage.state));
  }
}

void scalarize_all(GroupRecords& group) {
  for (InterfaceRecord& interface : group.interfaces) {
    const auto mismatches = scalarize_link(interface.link, fix_reasons(group, interface), *group.options);
    interface.declared_before = declared_slots(interface.link);
    for (const ScalarizeMismatch& mismatch : mismatches) warn(group, interface, mismatch);
  }
}

void show(const GroupRecords& group, const InterfaceObserver& observe, bool linked) {
  if (!observe) return;
  for (const InterfaceRecord& interface : group.interfaces)
    if (!interface.link.is_shared() && !interface.link.consumers.empty()) observe(interface.link, linked);
}

bool run_all_passes(GroupRecords& group) {
  std::vector<Link*> links;
  for (InterfaceRecord& interface : group.interfaces) links.push_back(&interface.link);
  passes::PassContext context(*group.options);
  const Result<void> result = run_passes(links, context);
  if (result) return true;
  for (PipelineRecord& pipeline : group.pipelines)
    if (!pipeline.modules.empty()) pipeline.reject(result.error());
  return false;
}

}  // namespace

void vectorize(Link& link) {
  if (link.placement.empty()) return;
  std::vector<varyings::Varying> readers;
  std::set<varyings::Slot> read;
  for (const LinkedStage* consumer : link.consumers)
    for (const varyings::Varying& input : consumer->inputs)
      if (read.insert(input.slot).second) readers.push_back(input);
  varyings::VectorizeRequest request;
  request.packed = &link.packed;
  request.placement = &link.placement;
  request.interpolates = link.consumer_interpolates();
  for (LinkedStage* producer : link.producers) {
    request.direction = varyings::Direction::output;
    request.varyings = &producer->outputs;
    request.readers = &readers;
    varyings::vectorize_io(producer->module, producer->entry, request);
    producer->properties.remove({link::Property::io_scalarized});
  }
  for (LinkedStage* consumer : link.consumers) {
    request.direction = varyings::Direction::input;
    request.varyings = &consumer->inputs;
    varyings::vectorize_io(consumer->module, consumer->entry, request);
    consumer->properties.remove({link::Property::io_scalarized});
  }
}

bool link_interfaces(GroupRecords& group, const InterfaceObserver& observe) {
  run_on_all(kPrepare, group);
  note_positions(group);
  run_on_all(kUnroll, group);
  decide_by_formats(group);
  scalarize_all(group);
  run_on_all(kAfterScalarize, group);
  show(group, observe, false);
  if (!run_all_passes(group)) return false;
  show(group, observe, true);
  for (InterfaceRecord& interface : group.interfaces) vectorize(interface.link);
  for (InterfaceRecord& interface : group.interfaces) interface.link.report.follow_duplicates();
  return true;
}

}  // namespace varylink::driver
