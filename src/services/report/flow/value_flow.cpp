#include "report/flow/value_flow.h"

#include <algorithm>
#include <set>

namespace varylink::report {
namespace {

using Nodes = std::set<std::uint32_t>;

// The value and everything it is made of, without what both stages have anyway.
Nodes parts_of(const ValueFlow& flow, std::uint32_t node) {
  Nodes parts, open = {node};
  while (!open.empty()) {
    const std::uint32_t part = *open.begin();
    open.erase(open.begin());
    const ValueFlow::Kind kind = flow.nodes[part].kind;
    if (kind == ValueFlow::Kind::constant || kind == ValueFlow::Kind::resource || !parts.insert(part).second) continue;
    open.insert(flow.nodes[part].operands.begin(), flow.nodes[part].operands.end());
  }
  return parts;
}

}  // namespace

std::optional<std::uint32_t> node_at(const ValueFlow& flow, varyings::Slot old) {
  for (const ValueFlow::Component& component : flow.before)
    if (component.slot == old) return component.node;
  return std::nullopt;
}

Movement movement_of(const ValueFlow::Node& node) {
  // Leaves, which are not computed, cannot move.
  if (node.kind != ValueFlow::Kind::operation && node.kind != ValueFlow::Kind::per_store_point)
    return node.after.any() ? Movement::none : Movement::gone;
  if (!node.after.any()) return Movement::gone;
  if (!node.before.any()) return Movement::none;
  if (node.after.producer && !node.before.producer) return Movement::to_producer;
  if (node.after.consumer && !node.before.consumer) return Movement::to_consumer;
  return Movement::none;
}

std::string text(Movement movement, const ValueFlow& flow) {
  switch (movement) {
    case Movement::none: return {};
    case Movement::to_producer: return "to " + std::string(short_name(flow.producer));
    case Movement::to_consumer: return "to " + std::string(short_name(flow.consumer));
    case Movement::gone: return "gone";
  }
  return {};
}

std::vector<std::size_t> successors_of(const ValueFlow& flow, varyings::Slot old) {
  std::vector<std::size_t> successors;
  const std::optional<std::uint32_t> node = node_at(flow, old);
  if (!node) return successors;
  const Nodes parts = parts_of(flow, *node);
  for (std::size_t i = 0; i < flow.after.size(); ++i) {
    if (flow.after[i].outcome != link::Outcome::moved || !flow.after[i].node) continue;
    const Nodes others = parts_of(flow, *flow.after[i].node);
    const auto is_shared = [&](std::uint32_t part) { return others.count(part) != 0; };
    if (std::any_of(parts.begin(), parts.end(), is_shared)) successors.push_back(i);
  }
  return successors;
}

std::vector<std::string> uses_of(const ValueFlow& flow, varyings::Slot old) {
  const std::optional<std::uint32_t> node = node_at(flow, old);
  if (!node) return {};
  std::set<std::string> uses;
  Nodes reached = {*node};
  for (std::uint32_t i = *node; i < flow.nodes.size(); ++i) {  // operands come first
    const ValueFlow::Node& each = flow.nodes[i];
    const auto is_reached = [&](std::uint32_t operand) { return reached.count(operand) != 0; };
    if (each.after.consumer && std::any_of(each.operands.begin(), each.operands.end(), is_reached)) reached.insert(i);
    if (reached.count(i) != 0) uses.insert(each.uses.begin(), each.uses.end());
  }
  return {uses.begin(), uses.end()};
}

}  // namespace varylink::report
