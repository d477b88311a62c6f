#include "link/scalarize/scalarize_link.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "graph/value_reader.h"
#include "link/scalarize/proxies.h"
#include "link/values/reachable_resources.h"
#include "varyings/scalarize/enumerate_indices.h"
#include "varyings/scalarize/indexed_stores.h"
#include "varyings/scalarize/regroup.h"
#include "varyings/scalarize/scalarize_io.h"

namespace varylink::link {
namespace {

using link::Link;
using link::LinkedStage;
using varyings::SidePlan;
using varyings::VariablePlan;

// Properties of a slot that all stages on one side of the interface have to declare alike.
struct Traits {
  varyings::ScalarType scalar;
  bool patch = false, per_primitive = false;
  std::uint32_t stream = 0;
  varyings::Interpolation interpolation;  // consumers only
  // The part that stays one variable: its first slot and how many leaves it has; none if the slot becomes a scalar.
  std::optional<std::pair<varyings::Slot, std::size_t>> unsplit;

  auto tied() const { return std::tie(scalar, patch, per_primitive, stream, interpolation, unsplit); }
  friend bool operator==(const Traits& a, const Traits& b) { return a.tied() == b.tied(); }
};

Traits traits_of(const VariablePlan& plan, const varyings::Leaf& leaf) {
  Traits traits{leaf.scalar, leaf.patch, leaf.per_primitive, leaf.stream, {}, {}};
  if (plan.variable.direction == varyings::Direction::input) traits.interpolation = leaf.interpolation;
  if (const varyings::UnsplitPart* part = plan.unsplit_at(leaf.path)) {
    const auto leaves = varyings::leaves_below(plan.variable, part->path);
    traits.unsplit.emplace(plan.variable.leaves[leaves.front()].slot, leaves.size());
  }
  return traits;
}

class Planner {
 public:
  Planner(Link& link, const FixReasons& reasons, const link::LinkOptions& options) : link_(link), options_(options) {
    for (std::size_t i = 0; i < link.producers.size(); ++i)
      outputs_.push_back(plan(*link.producers[i], varyings::Direction::output, reasons.producers[i]));
    for (std::size_t i = 0; i < link.consumers.size(); ++i)
      inputs_.push_back(plan(*link.consumers[i], varyings::Direction::input, reasons.consumers[i]));
  }

  std::vector<ScalarizeMismatch> agree() {
    std::vector<ScalarizeMismatch> mismatches, repeated;
    reconcile_all(mismatches);
    if (!link_.is_shared()) return mismatches;
    for (std::vector<std::size_t> before; before != restrictions();) {
      before = restrictions();
      fix_differences(outputs_);
      fix_differences(inputs_);
      fix_neighbours();
      reconcile_all(repeated);
    }
    return mismatches;
  }

  void scalarize() {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      LinkedStage& producer = *link_.producers[i];
      remark_unsupported(producer, outputs_[i]);
      producer.outputs = varyings::scalarize_io(producer.module, producer.entry, outputs_[i]);
      producer.note_scalarized();
    }
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      LinkedStage& consumer = *link_.consumers[i];
      consumer.inputs = varyings::scalarize_io(consumer.module, consumer.entry, inputs_[i]);
      consumer.note_scalarized();
    }
  }

 private:
  SidePlan plan(const LinkedStage& stage, varyings::Direction direction, const std::string& reason) const {
    SidePlan side = varyings::plan_side(stage.module, stage.entry, direction);
    if (options_.portable) varyings::keep_blocks_of_nested_arrays(side);
    if (reason.empty()) return side;
    for (VariablePlan& variable : side.variables)
      if (!variable.fixed) variable.fixed = reason;
    return side;
  }

  // Plans only ever get more unsplit parts and more fixed variables; this tells whether one has changed.
  std::vector<std::size_t> restrictions() const {
    std::vector<std::size_t> list;
    for (const auto* sides : {&outputs_, &inputs_})
      for (const SidePlan& side : *sides)
        for (const VariablePlan& plan : side.variables) {
          list.push_back(plan.fixed ? 1 : 0);
          for (const varyings::UnsplitPart& part : plan.unsplit) list.push_back(part.path.size());
        }
    return list;
  }

  // All with all, also stages that are no pair: one map of locations holds for all of them.
  void reconcile_all(std::vector<ScalarizeMismatch>& mismatches) {
    for (std::size_t p = 0; p < outputs_.size(); ++p)
      for (std::size_t c = 0; c < inputs_.size(); ++c) {
        std::vector<std::string> messages;
        varyings::reconcile(outputs_[p], inputs_[c], messages);
        if (!link_.are_pair(p, c)) continue;
        for (std::string& message : messages) mismatches.push_back({p, c, std::move(message)});
      }
  }

  static void fix(VariablePlan& plan, const std::string& why) {
    if (!plan.fixed) plan.fixed = why;
  }

  static void fix_differences(std::vector<SidePlan>& sides) {
    std::map<varyings::Slot, std::pair<Traits, VariablePlan*>> known;
    for (SidePlan& side : sides)
      for (VariablePlan& plan : side.variables)
        for (const varyings::Leaf& leaf : plan.variable.leaves)
          for (std::uint32_t c = 0; c < leaf.count * leaf.slots_per_component(); ++c) {
            varyings::Slot slot = leaf.slot_of(c / leaf.slots_per_component());
            slot.component += c % leaf.slots_per_component();
            const Traits traits = traits_of(plan, leaf);
            const auto [entry, is_new] = known.try_emplace(slot, traits, &plan);
            if (is_new || entry->second.first == traits) continue;
            for (VariablePlan* each : {&plan, entry->second.second})
              fix(*each, "the shaders that share this interface declare it differently");
          }
  }

  // A variable beside a fixed one in any stage cannot move either: they might get the same location.
  void fix_neighbours() {
    std::map<std::uint32_t, std::string> fixed;  // why, by location
    const auto each = [&](const auto& visit) {
      for (auto* sides : {&outputs_, &inputs_})
        for (SidePlan& side : *sides)
          for (VariablePlan& plan : side.variables)
            for (std::uint32_t i = 0; i < plan.variable.location_count; ++i) visit(plan, plan.variable.location + i);
    };
    each([&](const VariablePlan& plan, std::uint32_t location) {
      if (plan.fixed) fixed.try_emplace(location, "a variable in its location stays: " + *plan.fixed);
    });
    each([&](VariablePlan& plan, std::uint32_t location) {
      if (const auto why = fixed.find(location); why != fixed.end()) fix(plan, why->second);
    });
  }

  // Variables that cannot be described component by component have no record of their own in the report.
  void remark_unsupported(const LinkedStage& producer, const SidePlan& side) {
    for (const VariablePlan& plan : side.variables)
      if (plan.variable.unsupported)
        link_.remarks.push_back({"link", std::string(short_name(producer.stage)),
                                 "output '" + plan.variable.name + "' at location " +
                                     std::to_string(plan.variable.location) + " is left alone: it " +
                                     *plan.variable.unsupported});
  }

  Link& link_;
  const link::LinkOptions& options_;
  std::vector<SidePlan> outputs_, inputs_;
};

// Elements of outputs that are stored at an index which the consumer can compute as well (rule ).
void write_out_shared_stores(LinkedStage& producer, const LinkedStage& consumer, const link::PipelineLayout* layout) {
  std::optional<graph::Resources> own;
  std::optional<link::ReachableResources> reachable;
  const auto is_shared = [&](spirv::InstRef load) {
    if (!own) own.emplace(producer.module);
    if (!reachable) reachable.emplace(consumer, layout);
    const auto scalar = varyings::scalar_type_of(producer.module, producer.module[load].type);
    const auto read = own->read_by(load);
    return scalar && read && read->index == 0 &&
           std::all_of(read->keys.begin(), read->keys.end(), [&](const graph::ResourceKey& key) {
             const graph::Value value = graph::value_of(*scalar, key);
             return reachable->can_read(value) && link::is_same_resource(value, producer.stage, consumer.stage, layout);
           });
  };
  varyings::write_out_indexed_stores(producer.module, producer.entry, {&consumer.module, &consumer.entry}, is_shared);
}

// Arrays that one producer and one consumer index dynamically: choices among few elements, and arrays of structures.
// The records follow their components.
void separate_arrays(Link& link, const FixReasons& reasons, const link::LinkOptions& options) {
  if (link.is_shared() || link.consumers.empty()) return;
  if (!reasons.producers.front().empty() || !reasons.consumers.front().empty()) return;
  LinkedStage& producer = *link.producers.front();
  LinkedStage& consumer = *link.consumers.front();
  const auto name_elements = [&] {
    if (varyings::has_dynamic_inputs(consumer.module, consumer.entry))
      varyings::enumerate_indices(consumer.module, consumer.entry,
                                  varyings::plan_side(producer.module, producer.entry, varyings::Direction::output));
  };
  name_elements();  // first, so that nothing has to be regrouped for their sake
  write_out_shared_stores(producer, consumer, options.layout ? &*options.layout : nullptr);
  link.regrouped = varyings::regroup_arrays({&producer.module, &producer.entry}, {&consumer.module, &consumer.entry},
                                            !options.portable);
  if (!link.regrouped.empty()) name_elements();  // those of a member may be few where those of the structure are not
  std::map<std::uint32_t, std::uint32_t> now;    // by location as declared
  for (const auto& [location, declared] : link.regrouped) now.emplace(declared, location);
  for (link::ComponentRecord& record : link.report.components)
    if (const auto found = now.find(record.old_slot.location); found != now.end())
      record.old_slot.location = found->second;
  link.forget_record_places();
}

}  // namespace

std::vector<ScalarizeMismatch> scalarize_link(Link& link, const FixReasons& reasons, const link::LinkOptions& options) {
  split_captured_outputs(link);
  separate_arrays(link, reasons, options);
  add_proxies(link, options);
  Planner planner(link, reasons, options);
  std::vector<ScalarizeMismatch> mismatches = planner.agree();
  planner.scalarize();
  mark_proxies(link);
  return mismatches;
}

}  // namespace varylink::link
