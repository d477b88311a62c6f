#include "link/value_flow.h"

namespace varylink::link {

Movement movement_of(const ValueFlow::Node& node) {
  // What is had, not computed, cannot move.
  if (node.kind != ValueFlow::Kind::operation && node.kind != ValueFlow::Kind::sites)
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

}  // namespace varylink::link
