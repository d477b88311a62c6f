// Reflection of stage interfaces: every user-defined Input and Output variable of an entry point, flattened to its
// scalars and vectors with location, component, type and decorations.
//
// Reads declarations, not code (reflect/pointer_access.h reads that). It knows structs, blocks (locations on the
// variable or on the members), arrays, matrices, 64-bit and 16-bit types, and takes one array level off where the
// interface is per vertex (rule ). Blocks have their locations on the variable or on each member (rule ).
// Decoration groups are expanded.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "spirv/ir/module.h"
#include "spirv/ir/stage.h"
#include "varyings/reflect/slot.h"

namespace varylink::varyings {

constexpr spv::StorageClass storage_class_of(Direction direction) {
  return direction == Direction::input ? spv::StorageClass::Input : spv::StorageClass::Output;
}

// Where transform feedback writes the first component of a leaf; its other components follow without gaps.
struct XfbPlace {
  std::uint32_t buffer = 0;  // an array of blocks has one for each of its blocks, the first one declared (rule)
  std::uint32_t stride = 0;  // bytes
  std::uint32_t offset = 0;  // bytes from the start of the vertex record
  friend bool operator==(const XfbPlace&, const XfbPlace&) = default;
};

// One scalar or vector inside an interface variable.
struct Leaf {
  std::vector<std::uint32_t> path;  // member, element and column numbers below the per-vertex array level
  Slot slot;                        // place of the first component
  std::uint32_t count = 1;          // components of the vector, 1 for a scalar
  ScalarType scalar;
  spirv::Id type = 0;  // the scalar or vector type
  Interpolation interpolation;
  bool patch = false;
  bool per_primitive = false;
  bool relaxed_precision = false;
  bool invariant = false;
  std::uint32_t stream = 0;  // geometry outputs
  bool captured = false;     // has a transform feedback Offset and the entry point captures
  XfbPlace xfb;              // valid only if `captured`
  std::string name;          // "v.color" from debug names, empty if there are none

  // Slot of component `index` (0-based); for 64-bit scalars the first of its two slots.
  Slot slot_of(std::uint32_t index) const;
  // Slots that one component takes: 2 for 64-bit scalars, else 1.
  std::uint32_t slots_per_component() const { return scalar.width == 64 ? 2 : 1; }
};

// Above every device limit there is (rule has 32 locations at most).
inline constexpr std::uint32_t kMaxLocation = 1u << 20;

struct InterfaceVariable {
  spirv::Id id = 0;
  Direction direction = Direction::input;
  spirv::Id type = 0;                      // pointee type, with the per-vertex array level
  spirv::Id element_type = 0;              // pointee type without it; equals `type` if not arrayed
  bool arrayed = false;                    // has a per-vertex (or per-primitive) outer array
  std::uint32_t location = 0;              // lowest location
  std::uint32_t location_count = 0;        // from `location` to the highest one used, see `unsupported`
  std::string name;                        // debug name, empty if none
  std::vector<Leaf> leaves;                // in declaration order
  std::optional<std::string> unsupported;  // why this variable cannot be described by leaves (its size depends on a
                                           // specialization constant, a type we do not know, ...); location_count
                                           // then reaches up to the next variable
};

// The entry point that is linked.
struct Entry {
  Stage stage = Stage::vertex;
  spirv::InstRef inst;
  spirv::Id function = 0;
  std::string name;
  std::vector<spirv::Id> interface;
  bool captures = false;  // execution mode Xfb
};

// The entry point of `stage` called `name`, or the only one of that stage if `name` is empty.
// Errors (ErrorKind::usage): there is none, or several and no name was given.
Result<Entry> find_entry(const spirv::Module& module, Stage stage, const std::string& name, const FileRef& file);

// All user-defined interface variables of the entry point in one direction, in the order of the entry point's list.
// Vertex inputs and fragment outputs are reflected as well; the callers that must not touch them do not.
std::vector<InterfaceVariable> interface_variables(const spirv::Module& module, const Entry& entry,
                                                   Direction direction);
// For those who have an index of the module's decorations.
class DecorationIndex;
std::vector<InterfaceVariable> interface_variables(const spirv::Module& module, const Entry& entry, Direction direction,
                                                   const DecorationIndex& decorations);

// Decorations of an id or a struct member: has(...) and the first literal.
using Decoration = std::pair<spv::Decoration, std::uint32_t>;  // the first literal, or 0
struct DecorationList {
  std::span<const Decoration> list;  // not owned
  bool has(spv::Decoration decoration) const;
  std::optional<std::uint32_t> value(spv::Decoration decoration) const;
};
struct Decorations {
  std::vector<Decoration> list;
  bool has(spv::Decoration decoration) const { return DecorationList{list}.has(decoration); }
  std::optional<std::uint32_t> value(spv::Decoration decoration) const {
    return DecorationList{list}.value(decoration);
  }
};
Decorations decorations_of(const spirv::Module& module, spirv::Id target);
Decorations member_decorations_of(const spirv::Module& module, spirv::Id target, std::uint32_t member);

// ---- types

// Scalar type description of a scalar, vector or matrix type id; none for anything else.
std::optional<ScalarType> scalar_type_of(const spirv::Module& module, spirv::Id type);
// 16-bit numbers that the module may load and store, but neither take out of a vector nor choose among: it lacks the
// capability to compute with them (rule ).
bool is_storage_only(const spirv::Module& module, ScalarType scalar);
// Number of elements of an array type, none if it depends on a specialization constant.
std::optional<std::uint32_t> array_length(const spirv::Module& module, spirv::Id type);

}  // namespace varylink::varyings
