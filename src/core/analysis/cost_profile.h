// Costs of operations on an abstract GPU. They decide whether code is worth moving, and schedule stages for the report.
// docs/cost-profiles.md names the source of every built-in number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace varylink::analysis {

// One scalar operation belongs to one class. All costs are in units of one basic 32-bit operation.
enum class OpClass : std::uint8_t {
  free,               // renames and constants: no instruction
  basic,              // add, multiply, compare, select, logic, conversion, min/max
  integer_multiply,   // 32-bit; 16-bit ones are basic
  integer_divide,     // also remainder
  float_divide,       //
  float_modulo,       //
  special,            // sqrt, rsqrt, exp2, log2, sin, cos and the other functions of a special function unit
  power,              //
  wide,               // 64-bit floating point other than the next two
  wide_divide,        // 64-bit division and modulo, floating point or integer
  wide_special,       // 64-bit functions
  uniform_load,       // one 32-bit word of a uniform buffer or a push constant
  memory_load,        // one word of other memory; also atomics
  memory_store,       // one word of other memory
  input_load,         // one component of an input that is not interpolated: an attribute, a flat or built-in one
  interpolated_load,  // one component of an interpolated fragment input
  output_store,       // one component of an output
  texture,            // a whole sample, fetch, gather or query
  branch,             // a conditional branch, a switch, discard
  other,              // barriers, emits, subgroup operations, derivatives across lanes, calls that are left
  constant_store,     // a stored component of an output that nothing computes, besides what the store costs itself
  copied_store,       // a stored component that is an input, unless its location is all one input location, in order
  repeated_store,     // a stored component whose value another stored component has, too, besides what the store costs
  passed_load,        // an interpolated component that is only stored, and its location with it, in order
  fetched_load,       // an interpolated component that only goes into texture coordinates, as it is
  split_coordinate,   // a texture coordinate of interpolated components that are not side by side in one location
  computed_coordinate,  // a texture coordinate that differs from fragment to fragment and is not inputs as they are
  shared_coordinate,    // a texture access whose coordinate is the inputs, as they are, that an earlier one has taken
  attribute,            // a location of vertex inputs that is read, its components included
  input_location,       // a location of other inputs of which components are read, besides what they cost themselves
  output_location,      // the same for outputs that are stored
  stage,                // fixed cost of every stage
};
inline constexpr std::size_t kOpClassCount = static_cast<std::size_t>(OpClass::stage) + 1;

// "basic", "integer_multiply", ...: the spelling of profiles.
std::string_view name_of(OpClass op_class);

struct ClassCost {
  double cost = 1;          // issue slots that one such scalar operation takes; also its weight when costs are added up
  std::uint32_t delay = 0;  // slots that have to pass between its last one and the first one of an operation using it
};

struct CostProfile {
  std::string name;
  std::string description;
  std::array<ClassCost, kOpClassCount> classes;
  // Delay before a special, texture or memory operation may use a basic result, if that is more than `delay`.
  std::uint32_t delay_into_slow_units = 0;
  // How often a fragment shader runs for each run of the stage in front of it.
  double fragments_per_vertex = 1;
  // 32-bit scalars that fit into registers before the schedule begins to care.
  std::uint32_t register_budget = 64;
  // Largest cost of an expression over uniforms alone that a fragment shader computes in place of an input component.
  double uniform_limit = 24;
  // Part of its cost that an operation over uniforms alone takes where every vertex or fragment would do it.
  double uniform_share = 1;

  ClassCost& operator[](OpClass op_class) { return classes[static_cast<std::size_t>(op_class)]; }
  const ClassCost& operator[](OpClass op_class) const { return classes[static_cast<std::size_t>(op_class)]; }
};

// generic, tiler, immediate, scalar-inorder.
std::span<const CostProfile> built_in_profiles();
// The built-in profile called `name`, nullptr if there is none.
const CostProfile* find_profile(std::string_view name);
// The default profile: generic.
const CostProfile& default_profile();

// A profile from JSON: {"name": ..., "based_on": "generic", "fragments_per_vertex": ..., "register_budget": ...,
// "uniform_limit": ..., "delay_into_slow_units": ..., "operations": {"special": {"cost": 4, "delay": 8}, ...}}. Missing
// members come from the built-in profile "based_on" (generic if there is none). Error (usage, about `file`): not such
// an object, an unknown member, a number out of range.
Result<CostProfile> parse_profile(std::string_view json, const std::string& file);

}  // namespace varylink::analysis
