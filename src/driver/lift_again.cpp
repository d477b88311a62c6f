#include "driver/lift_again.h"

#include <algorithm>
#include <set>

#include "driver/clean_up.h"
#include "varyings/lift/lift.h"
#include "varyings/lift/variable_code.h"

namespace varylink::driver {
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

const Varying* unsplit_of(const std::vector<Varying>& varyings, const VariablePlan& plan) {
  const auto found = std::find_if(varyings.begin(), varyings.end(), [&](const Varying& varying) {
    return varying.form == Varying::Form::unsplit && !varying.stand_in && varying.variable == plan.variable.id;
  });
  return found == varyings.end() ? nullptr : &*found;
}

// Plans of unsplit variables whose declaration still says which slots they are about: passes narrow some.
SidePlan plan_unsplit(const LinkedStage& stage, varyings::Direction direction) {
  const std::vector<Varying>& varyings = direction == varyings::Direction::output ? stage.outputs : stage.inputs;
  SidePlan side = varyings::plan_side(stage.module, stage.entry, direction);
  std::erase_if(side.variables, [&](const VariablePlan& plan) {
    const Varying* varying = unsplit_of(varyings, plan);
    return !varying || Slots(varying->slots.begin(), varying->slots.end()) != slots_of_plan(plan);
  });
  return side;
}

bool stays_unsplit(const VariablePlan& plan) { return plan.fixed || plan.unsplit_at({}) != nullptr; }

// What becomes scalars on this side, slot by slot.
Slots loose_slots(const SidePlan& side) {
  Slots loose;
  for (const VariablePlan& plan : side.variables)
    if (!stays_unsplit(plan)) loose.merge(slots_of_plan(plan));
  return loose;
}

// Leaves the variables that become scalars here and on the other side.
void keep_loose(SidePlan& side, const Slots& other) {
  std::erase_if(side.variables, [&](const VariablePlan& plan) {
    const Slots slots = slots_of_plan(plan);
    return stays_unsplit(plan) || !std::includes(other.begin(), other.end(), slots.begin(), slots.end());
  });
}

void lift_side(LinkedStage& stage, varyings::Direction direction, const SidePlan& side) {
  std::vector<Varying>& varyings = direction == varyings::Direction::output ? stage.outputs : stage.inputs;
  std::erase_if(varyings, [&](const Varying& varying) {
    return std::any_of(side.variables.begin(), side.variables.end(),
                       [&](const VariablePlan& plan) { return varying.variable == plan.variable.id; });
  });
  for (Varying& varying : varyings::lift(stage.module, stage.entry, side)) varyings.push_back(std::move(varying));
  clean_up_after_lift(stage);
  stage.note_change();
}

}  // namespace

bool lift_again(link::Link& link) {
  if (link.is_shared() || link.consumers.empty()) return false;
  LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  SidePlan outputs = plan_unsplit(producer, varyings::Direction::output);
  SidePlan inputs = plan_unsplit(consumer, varyings::Direction::input);
  if (outputs.variables.empty() || inputs.variables.empty()) return false;
  std::vector<std::string> mismatches;
  varyings::reconcile(outputs, inputs, mismatches);

  // Dropping a variable on one side may leave one of the other side without its counterpart.
  Slots loose;
  do {
    loose = loose_slots(outputs);
    keep_loose(inputs, loose);
    keep_loose(outputs, loose_slots(inputs));
  } while (loose_slots(outputs) != loose);
  if (loose.empty()) return false;
  lift_side(producer, varyings::Direction::output, outputs);
  lift_side(consumer, varyings::Direction::input, inputs);
  return true;
}

}  // namespace varylink::driver
