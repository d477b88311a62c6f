#include "link/scalarize/rescalarize.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "prepare/recipes.h"
#include "varyings/scalarize/scalarize_io.h"
#include "varyings/scalarize/variable_code.h"

namespace varylink::link {
namespace {

using link::LinkedStage;
using varyings::SidePlan;
using varyings::VariablePlan;
using varyings::Varying;

using Slots = std::set<varyings::Slot>;

Slots slots_of_plan(const VariablePlan& plan) {
  Varying all;
  for (const varyings::Leaf& leaf : plan.variable.leaves) varyings::append_slots(all, leaf, 0, leaf.count);
  return {all.slots.begin(), all.slots.end()};
}

// By variable.
std::map<spirv::Id, const Varying*> unsplit_of(const std::vector<Varying>& varyings) {
  std::map<spirv::Id, const Varying*> unsplit;
  for (const Varying& varying : varyings)
    if (varying.form == Varying::Form::unsplit && !varying.proxy) unsplit.try_emplace(varying.variable, &varying);
  return unsplit;
}

// Plans of unsplit variables whose declaration still says which slots they are about: passes narrow some.
SidePlan plan_unsplit(const LinkedStage& stage, varyings::Direction direction, bool portable) {
  const std::vector<Varying>& varyings = direction == varyings::Direction::output ? stage.outputs : stage.inputs;
  const std::map<spirv::Id, const Varying*> unsplit = unsplit_of(varyings);
  SidePlan side = varyings::plan_side(stage.module, stage.entry, direction);
  if (portable) varyings::keep_blocks_of_nested_arrays(side);
  std::erase_if(side.variables, [&](const VariablePlan& plan) {
    const auto found = unsplit.find(plan.variable.id);
    if (found == unsplit.end()) return true;
    const std::vector<varyings::Slot>& slots = found->second->slots;
    return Slots(slots.begin(), slots.end()) != slots_of_plan(plan);
  });
  return side;
}

bool stays_unsplit(const VariablePlan& plan) { return plan.fixed || plan.unsplit_at({}) != nullptr; }

// Slots of variables that become scalars on this side.
Slots splittable_slots(const SidePlan& side) {
  Slots splittable;
  for (const VariablePlan& plan : side.variables)
    if (!stays_unsplit(plan)) splittable.merge(slots_of_plan(plan));
  return splittable;
}

// Leaves the variables that become scalars all over.
void keep_splittable(SidePlan& side, const Slots& splittable) {
  std::erase_if(side.variables, [&](const VariablePlan& plan) {
    const Slots slots = slots_of_plan(plan);
    return stays_unsplit(plan) || !std::includes(splittable.begin(), splittable.end(), slots.begin(), slots.end());
  });
}

// One of the stages that share the interface.
struct Side {
  LinkedStage* stage;
  varyings::Direction direction;
  SidePlan plan;

  std::vector<Varying>& varyings() const {
    return direction == varyings::Direction::output ? stage->outputs : stage->inputs;
  }

  // Slots that stay as they are in this stage.
  Slots kept() const {
    Slots slots;
    for (const Varying& varying : varyings()) slots.insert(varying.slots.begin(), varying.slots.end());
    for (const varyings::Slot slot : splittable_slots(plan)) slots.erase(slot);
    return slots;
  }
};

Slots splittable_in(const std::vector<Side>& sides, varyings::Direction direction) {
  Slots splittable;
  for (const Side& side : sides)
    if (side.direction == direction) splittable.merge(splittable_slots(side.plan));
  return splittable;
}

// Slots that every stage with them can scalarize, and that stages on both sides have: one map of locations holds for
// all.
Slots splittable_everywhere(const std::vector<Side>& sides) {
  Slots splittable;
  const Slots outputs = splittable_in(sides, varyings::Direction::output),
              inputs = splittable_in(sides, varyings::Direction::input);
  std::set_intersection(outputs.begin(), outputs.end(), inputs.begin(), inputs.end(),
                        std::inserter(splittable, splittable.end()));
  for (const Side& side : sides)
    for (const varyings::Slot slot : side.kept()) splittable.erase(slot);
  return splittable;
}

void scalarize_side(Side& side) {
  LinkedStage& stage = *side.stage;
  std::vector<Varying>& varyings = side.varyings();
  std::erase_if(varyings, [&](const Varying& varying) {
    return std::any_of(side.plan.variables.begin(), side.plan.variables.end(),
                       [&](const VariablePlan& plan) { return varying.variable == plan.variable.id; });
  });
  for (Varying& varying : varyings::scalarize_io(stage.module, stage.entry, side.plan))
    varyings.push_back(std::move(varying));
  stage.note_scalarized();
  prepare::run_recipe(prepare::kAfterScalarize, stage);
}

std::vector<Side> sides_of(link::Link& link, bool portable) {
  std::vector<Side> sides;
  const auto add = [&](LinkedStage* stage, varyings::Direction direction) {
    sides.push_back({stage, direction, plan_unsplit(*stage, direction, portable)});
  };
  for (LinkedStage* stage : link.producers) add(stage, varyings::Direction::output);
  for (LinkedStage* stage : link.consumers) add(stage, varyings::Direction::input);
  return sides;
}

void reconcile(std::vector<Side>& sides) {
  std::vector<std::string> mismatches;
  for (Side& output : sides)
    for (Side& input : sides)
      if (output.direction == varyings::Direction::output && input.direction == varyings::Direction::input)
        varyings::reconcile(output.plan, input.plan, mismatches);
}

}  // namespace

bool rescalarize(link::Link& link, const link::LinkOptions& options) {
  if (link.consumers.empty()) return false;
  std::vector<Side> sides = sides_of(link, options.portable);
  if (std::all_of(sides.begin(), sides.end(), [](const Side& side) { return side.plan.variables.empty(); }))
    return false;
  reconcile(sides);

  // Dropping a variable of one stage may leave one of another stage without its counterpart.
  Slots splittable = splittable_everywhere(sides);
  for (Slots before; before != splittable;) {
    before = splittable;
    for (Side& side : sides) keep_splittable(side.plan, splittable);
    splittable = splittable_everywhere(sides);
  }
  if (splittable.empty()) return false;
  for (Side& side : sides)
    if (!side.plan.variables.empty()) scalarize_side(side);
  return true;
}

}  // namespace varylink::link
