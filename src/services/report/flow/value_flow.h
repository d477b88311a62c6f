// The values on both sides of one interface, before and after linking, and the stages that compute them. Made for
// pictures (report/dot.h and the HTML page).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "link/model/report_model.h"
#include "spirv/ir/stage.h"
#include "varyings/reflect/slot.h"

namespace varylink::report {

struct ValueFlow {
  enum class Kind : std::uint8_t { leaf, constant, resource, operation, per_store_point };

  // Which stages compute a value, or have it.
  struct Sides {
    bool producer = false;
    bool consumer = false;
    bool any() const { return producer || consumer; }
  };

  struct Node {
    Kind kind = Kind::leaf;
    std::string label;                    // the operation or what is read, without operands: "*", "position.x", "0.5"
    std::vector<std::uint32_t> operands;  // positions in `nodes`, lower than that of this node
    Sides before, after;
    std::vector<std::string> uses;  // instructions of the consumer that need it and stay where they are, by name
  };

  // A component of the interface.
  struct Component {
    varyings::Slot slot;
    std::string name;                   // of the varying, or the expression that is sent in its place
    std::optional<std::uint32_t> node;  // none if its value is not followed
    link::Outcome outcome =
        link::Outcome::kept;  // before: its outcome. After: kept, or moved for a value that is new here
  };

  Stage producer = Stage::vertex, consumer = Stage::fragment;
  std::vector<Node> nodes;               // operands first
  std::vector<Component> before, after;  // by slot
};

enum class Movement : std::uint8_t {
  none,
  to_producer,  // the consumer computed it, now the producer does
  to_consumer,  // the producer computed it, now the consumer does
  gone,         // no stage computes it any more
};
Movement movement_of(const ValueFlow::Node& node);
// "to vert", "to frag", "gone"; empty for none.
std::string text(Movement movement, const ValueFlow& flow);

// The value of the component declared at `old`, a position in `nodes`. None if it is not followed.
std::optional<std::uint32_t> node_at(const ValueFlow& flow, varyings::Slot old);
// The values that replace the moved component declared at `old`: new values that share an operand with it. Positions in
// `after`.
std::vector<std::size_t> successors_of(const ValueFlow& flow, varyings::Slot old);
// Instructions of the consumer that need the component declared at `old` now, by name: its users, and users of values
// that the consumer computes from it.
std::vector<std::string> uses_of(const ValueFlow& flow, varyings::Slot old);

}  // namespace varylink::report
