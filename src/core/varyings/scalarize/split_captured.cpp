#include "varyings/scalarize/split_captured.h"

#include <algorithm>
#include <vector>

#include "spirv/ir/globals.h"
#include "varyings/scalarize/scalarize_io.h"
#include "varyings/scalarize/scalarize_plan.h"

namespace varylink::varyings {
namespace {

using spirv::Module;

bool reaches_parts(const Module& module, const VariablePlan& plan) {
  return std::all_of(plan.accesses.accesses.begin(), plan.accesses.accesses.end(), [&](const PointerAccess& access) {
    const ConstantPath found = constant_path(module, plan.variable, access);
    return !found.dynamic_behind ||
           spirv::is_scalar_or_vector(module, type_at(module, plan.variable.element_type, found.path));
  });
}

bool may_be_split(const Module& module, const VariablePlan& plan) {
  const InterfaceVariable& variable = plan.variable;
  if (plan.fixed || variable.arrayed) return false;
  if (variable.leaves.empty() || variable.leaves.front().path.empty()) return false;
  const auto stays = [](const Leaf& leaf) {
    return leaf.invariant || leaf.stream != 0 || leaf.patch || leaf.per_primitive;
  };
  return std::none_of(variable.leaves.begin(), variable.leaves.end(), stays) && reaches_parts(module, plan);
}

bool is_captured(const InterfaceVariable& variable) {
  return std::any_of(variable.leaves.begin(), variable.leaves.end(), [](const Leaf& leaf) { return leaf.captured; });
}

bool are_alike(const InterfaceVariable& a, const InterfaceVariable& b) {
  const auto same_leaf = [](const Leaf& x, const Leaf& y) {
    return x.slot == y.slot && x.count == y.count && x.scalar == y.scalar;
  };
  return a.leaves.size() == b.leaves.size() &&
         std::equal(a.leaves.begin(), a.leaves.end(), b.leaves.begin(), same_leaf);
}

// The consumer declares something in a location of the output.
bool is_met(const InterfaceVariable& output, const SidePlan& inputs) {
  return std::any_of(inputs.variables.begin(), inputs.variables.end(), [&](const VariablePlan& input) {
    return input.variable.location < output.location + output.location_count &&
           output.location < input.variable.location + input.variable.location_count;
  });
}

void split(Module& module, Entry& entry, VariablePlan plan) {
  plan.unsplit.clear();
  plan.locals.clear();
  for (const Leaf& leaf : plan.variable.leaves) plan.unsplit.push_back({leaf.path, {}});
  SidePlan side;
  side.module = &module;
  side.variables.push_back(plan);
  const std::vector<Varying> parts = scalarize_io(module, entry, side);
  std::erase(entry.interface, plan.variable.id);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    entry.interface.push_back(parts[i].variable);
    capture_like(module, parts[i].variable, plan.variable.leaves[i], 0);
  }
}

// Splits the first pair of variables that may be, or the first output that no input meets.
bool split_one(Module& producer, Entry& producer_entry, Module& consumer, Entry& consumer_entry) {
  const SidePlan outputs = plan_side(producer, producer_entry, Direction::output);
  const SidePlan inputs = plan_side(consumer, consumer_entry, Direction::input);
  for (const VariablePlan& output : outputs.variables) {
    if (!is_captured(output.variable) || !may_be_split(producer, output)) continue;
    if (!is_met(output.variable, inputs)) {
      split(producer, producer_entry, output);
      return true;
    }
    const auto input = std::find_if(inputs.variables.begin(), inputs.variables.end(), [&](const VariablePlan& plan) {
      return are_alike(output.variable, plan.variable);
    });
    if (input == inputs.variables.end() || !may_be_split(consumer, *input)) continue;
    split(producer, producer_entry, output);
    split(consumer, consumer_entry, *input);
    return true;
  }
  return false;
}

}  // namespace

void capture_like(Module& module, spirv::Id variable, const Leaf& leaf, std::uint32_t component) {
  if (!leaf.captured) return;
  spirv::decorate(module, variable, spv::Decoration::XfbBuffer, leaf.xfb.buffer);
  if (leaf.xfb.stride != 0) spirv::decorate(module, variable, spv::Decoration::XfbStride, leaf.xfb.stride);
  spirv::decorate(module, variable, spv::Decoration::Offset, leaf.xfb.offset + component * leaf.scalar.width / 8);
}

void split_captured(Module& producer, Entry& producer_entry, Module& consumer, Entry& consumer_entry) {
  while (split_one(producer, producer_entry, consumer, consumer_entry)) {
  }
}

}  // namespace varylink::varyings
