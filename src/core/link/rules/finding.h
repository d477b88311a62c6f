// A rule of interface matching and a place where it is broken. The rules know no files. The input check and `varylink
// check` take the severity of a broken rule from here; in the pair check of results every broken rule counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "spirv/ir/module.h"
#include "spirv/ir/stage.h"
#include "varyings/reflect/slot.h"

namespace varylink::link {

enum class Rule : std::uint8_t {
  // Between two stages.
  missing_output,          // an input has no output at its location
  missing_component,       // an input has an output at its location, which lacks some of its components
  component_type,          // the components differ in kind or width
  signedness,              // int against uint
  vector_width,            // a shorter vector reads a longer one: needs maintenance4
  scalar_against_vector,   // the components fit, but one side is a scalar or several variables
  shape,                   // the components fit, but array, matrix or structure differ
  patch_mismatch,          // Patch on one side only
  per_primitive_mismatch,  // PerPrimitiveEXT on one side only
  interpolation_differs,   // the producer's decorations are not the fragment stage's
  built_in_block,          // the built-in blocks do not have the same members in the same order
  read_not_written,        // declared on both sides, but the producer never stores it
  // Within one stage.
  overlap,              // two variables share a component
  overlap_of_kinds,     // the same, of which one is Patch, PerPrimitiveEXT or of another Stream (rule)
  mixed_interpolation,  // different interpolation within one location
  missing_flat,         // integer or 64-bit fragment input without Flat
  not_described,        // a variable that cannot be broken down into slots
};

// Valid-usage id of the rule; for `overlap` the one of the direction. Empty if Vulkan has no single id for it.
std::string_view vuid_of(Rule rule, varyings::Direction direction = varyings::Direction::input);

// Severity of a broken rule in `varylink check`, and in `varylink link` unless linking repairs it or leaves it alone
// (see check_input_pair). Not `strict`: errors are findings that the validation layer reports as well. `strict`: errors
// are all findings that the letter of the specification forbids.
Severity severity_of(Rule rule, bool strict);

struct Finding {
  Rule rule = Rule::missing_output;
  bool on_producer = false;            // whose file the finding is about
  std::optional<varyings::Slot> slot;  // first slot concerned
  Message message = "";                // names both sides
  varyings::Direction direction = varyings::Direction::input;
  spirv::Id id = 0;      // variable on the side it is about
  spirv::Id other = 0;   // variable on the other side, or the other one of an overlap; 0 if there is none
  std::size_t unit = 0;  // of the consumer: variable or block member, counted through (rules of pairs)
  bool read = true;      // false if the consumer's code never reads the input
  std::vector<varyings::Slot> unwritten;  // read_not_written: all slots concerned
};

using Findings = std::vector<Finding>;

}  // namespace varylink::link
