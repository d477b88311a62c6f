// The outcome of each varying component as data, from which reports, the printed line and tests are made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "spirv/ir/stage.h"
#include "varyings/reflect/slot.h"

namespace varylink::link {

// The outcome of linking for a component that the producer declared.
enum class Outcome {
  kept,       // still crosses the interface
  dead,       // no stage reads it
  constant,   // the consumer has the constant itself
  uniform,    // the consumer evaluates the uniform expression itself
  duplicate,  // another component carries the same value
  moved,      // replaced by other values through code motion
};

std::string_view name_of(Outcome outcome);

struct ComponentRecord {
  varyings::Slot old_slot;
  std::optional<varyings::Slot> new_slot;  // where the value is now; for a duplicate, where the other component is
  Outcome outcome = Outcome::kept;
  std::string reason;         // one clause: why it went, or why it had to stay
  FileMentions mentions;      // of modules in `reason`, until name_files
  std::string producer_name;  // source name such as "v.color", empty if unknown
  std::string consumer_name;
  std::string type;           // "float", "uint", ...
  std::string interpolation;  // "smooth", "flat", ...; empty in front of stages that do not interpolate
  bool patch = false;
};

struct InterfaceSize {
  std::uint32_t components = 0;        // 32-bit components the producer declares, built-ins not counted
  std::uint32_t locations = 0;         // locations with at least one of them
  std::uint32_t highest_location = 0;  // highest location used + 1; what the device limits count
  // Variables of unknown size: arrays sized by a specialization constant without a value. The other numbers count only
  // their first location.
  std::uint32_t not_counted = 0;
  std::uint32_t bytes_per_vertex() const { return components * 4; }
};

// In some number.
inline bool is_larger(const InterfaceSize& a, const InterfaceSize& b) {
  return a.components > b.components || a.locations > b.locations || a.highest_location > b.highest_location;
}

struct InterfaceReport {
  Stage producer = Stage::vertex;
  Stage consumer = Stage::fragment;
  InterfaceSize before, after;
  std::vector<ComponentRecord> components;  // by old slot
  std::uint32_t count(Outcome outcome) const;
  // "vert->frag"
  std::string stage_pair() const;

  // While passes run, a duplicate names the old slot of the component that carries its value. Once everything has its
  // place, this makes it name the new one; a duplicate of something that went away shares its outcome.
  void follow_duplicates();
};

// An optimization remark that concerns more than one component: a part that was left alone, and the reason.
struct Remark {
  std::string pass;   // registry name of the pass or part that says it
  std::string stage;  // short stage name or "vert->frag"
  std::string message;
};

// How the remark about a stage begins whose code rests on facts of the pipeline's state; JSON of these follows.
constexpr std::string_view kNeedsState = "the result needs a pipeline with this state: ";

}  // namespace varylink::link
