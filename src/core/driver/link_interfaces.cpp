#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "driver/group_steps.h"
#include "driver/run_passes.h"
#include "link/model/snapshot.h"
#include "link/scalarize/scalarize_link.h"
#include "link/values/float_environment.h"
#include "passes/pass.h"
#include "prepare/recipes.h"
#include "specialize_state/attribute_ranges.h"
#include "varyings/reflect/output_owner.h"
#include "varyings/scalarize/widened_varyings.h"
#include "varyings/vectorize/vectorize_io.h"

namespace varylink::driver {
namespace {

using link::Link;
using link::LinkedStage;

void run_on_all(const prepare::Recipe& recipe, GroupRecords& group) {
  for (ModuleRecord& module : group.modules)
    if (module.is_used && module.may_change()) prepare::run_recipe(recipe, module.stage);
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

link::FixReasons fix_reasons(const GroupRecords& group, const InterfaceRecord& interface) {
  const std::string of_all = reason_to_fix_all(interface.link);
  link::FixReasons reasons;
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
void warn(GroupRecords& group, const InterfaceRecord& interface, const link::ScalarizeMismatch& mismatch) {
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
  prepare::run_recipe(prepare::kFoldConstants, stage);
}

// Of stages that no fact about the pipeline has changed so far.
void note_positions(GroupRecords& group) {
  if (!group.options->tells_positions) return;
  for (ModuleRecord& module : group.modules)
    if (module.is_used && module.may_change() && module.stage.stage == Stage::vertex &&
        module.stage.assumed == state::PipelineState{})
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

// ---- varyings of 16 bits that are only converted

std::vector<Link*> links_of(GroupRecords& group) {
  std::vector<Link*> links;
  for (InterfaceRecord& interface : group.interfaces) links.push_back(&interface.link);
  return links;
}

bool widen(const GroupRecords& group, InterfaceRecord& interface) {
  if (interface.link.is_shared() || interface.link.consumers.empty()) return false;
  const link::FixReasons reasons = fix_reasons(group, interface);
  if (!reasons.producers.front().empty() || !reasons.consumers.front().empty()) return false;
  LinkedStage& producer = *interface.link.producers.front();
  LinkedStage& consumer = *interface.link.consumers.front();
  const auto widened =
      varyings::find_widened_varyings({&producer.module, &producer.entry}, {&consumer.module, &consumer.entry},
                                      link::may_convert_halves(producer, consumer));
  if (widened.empty()) return false;
  varyings::widen_outputs(producer.module, producer.entry, widened.outputs);
  varyings::widen_inputs(consumer.module, consumer.entry, widened.inputs);
  return true;
}

// The last interface first: what a stage passes on it then converts.
bool widen_all(GroupRecords& group) {
  bool any = false;
  for (auto interface = group.interfaces.rbegin(); interface != group.interfaces.rend(); ++interface)
    any |= widen(group, *interface);
  return any;
}

// What the interfaces become when the stages are linked as they are now, at this level; none if a pass fails. The
// stages are taken back.
std::optional<std::vector<link::InterfaceSize>> sizes_left(GroupRecords& group, const link::LinkOptions& level) {
  const std::vector<Link*> links = links_of(group);
  const link::Snapshot before(links);
  for (InterfaceRecord& interface : group.interfaces)
    scalarize_link(interface.link, fix_reasons(group, interface), *group.options);
  run_on_all(prepare::kAfterScalarize, group);
  passes::PassContext context(level);
  std::optional<std::vector<link::InterfaceSize>> sizes;
  if (run_passes(links, context)) {
    sizes.emplace();
    for (Link* link : links) {
      vectorize(*link);
      const LinkedStage& producer = *link->producers.front();
      const auto entry = varyings::find_entry(producer.module, producer.stage, producer.entry.name, producer.file);
      sizes->push_back(size_of_outputs(producer.module, *entry));  // entry: with the variables that it has now
    }
  }
  before.restore();
  return sizes;
}

// Nothing is larger, and something smaller.
bool are_smaller(const std::vector<link::InterfaceSize>& after, const std::vector<link::InterfaceSize>& before) {
  return std::equal(after.begin(), after.end(), before.begin(), std::not_fn(link::is_larger)) &&
         !std::equal(before.begin(), before.end(), after.begin(), std::not_fn(link::is_larger));
}

// Those up to the one that is asked for, without fuel and dumps.
std::vector<link::LinkOptions> levels_of(const link::LinkOptions& options) {
  std::vector<link::LinkOptions> levels;
  for (const auto level : {link::Level::exact, link::Level::motion, link::Level::discontinuous}) {
    if (level > options.level) break;
    link::LinkOptions& each = levels.emplace_back(options);
    each.level = level;
    each.fuel.reset();
    each.dump = {};
  }
  return levels;
}

// As numbers of 32 bits they can be operands of code that moves, but take more room where they still cross in the end.
// Each level begins with the choice of the level below, so that none leaves more (rule ).
void widen_where_fewer_cross(GroupRecords& group) {
  const link::Snapshot narrow(links_of(group));
  if (!widen_all(group)) return;
  const link::Snapshot wide(links_of(group));
  const link::Snapshot *chosen = &narrow, *other = &wide;
  for (const link::LinkOptions& level : levels_of(*group.options)) {
    chosen->restore();
    const auto sizes = sizes_left(group, level);
    other->restore();
    const auto others = sizes_left(group, level);
    if (sizes && others && are_smaller(*others, *sizes)) std::swap(chosen, other);
  }
  chosen->restore();
}

void scalarize_all(GroupRecords& group) {
  for (InterfaceRecord& interface : group.interfaces) {
    const auto mismatches = scalarize_link(interface.link, fix_reasons(group, interface), *group.options);
    interface.declared_before = declared_slots(interface.link);
    for (const link::ScalarizeMismatch& mismatch : mismatches) warn(group, interface, mismatch);
  }
}

void show(const GroupRecords& group, const InterfaceObserver& observe, bool linked) {
  if (!observe) return;
  for (const InterfaceRecord& interface : group.interfaces)
    if (!interface.link.is_shared() && !interface.link.consumers.empty()) observe(interface.link, linked);
}

bool run_all_passes(GroupRecords& group) {
  passes::PassContext context(*group.options);
  const Result<void> result = run_passes(links_of(group), context);
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
  run_on_all(prepare::kPrepare, group);
  note_positions(group);
  run_on_all(prepare::kUnroll, group);
  decide_by_formats(group);
  widen_where_fewer_cross(group);
  scalarize_all(group);
  run_on_all(prepare::kAfterScalarize, group);
  show(group, observe, false);
  if (!run_all_passes(group)) return false;
  show(group, observe, true);
  for (InterfaceRecord& interface : group.interfaces) vectorize(interface.link);
  for (InterfaceRecord& interface : group.interfaces) interface.link.report.follow_duplicates();
  return true;
}

}  // namespace varylink::driver
