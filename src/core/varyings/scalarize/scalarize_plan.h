// Decides, for both sides of an interface together, which varyings are scalarized and which stay variables.
//
// The two sides must agree: where one side indexes an array dynamically, the other keeps the same array unsplit at the
// same location. Varyings without such an agreement are fixed: both sides keep declarations and locations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "varyings/reflect/interface_variable.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::varyings {

// A part of a variable that stays one variable, named by the constant indices that lead to it (empty: all of it).
struct UnsplitPart {
  std::vector<std::uint32_t> path;
  std::string reason;
};

struct VariablePlan {
  InterfaceVariable variable;
  VariableAccesses accesses;
  std::optional<std::string> fixed;  // why nothing about it may change
  std::vector<UnsplitPart> unsplit;  // none is inside another one
  // Parts of an output that only this invocation sees and indexes dynamically. Each becomes a local variable of its
  // type, from which the scalars are stored at the exits. None is inside another one or overlaps an unsplit part.
  std::vector<UnsplitPart> locals;
  // The locations are on the members of a structure that another variable of the entry point has as well: kept as a
  // whole, the two could not go to places of their own.
  bool shares_locations = false;

  // The part that contains `path` or is it, nullptr if scalars are below.
  const UnsplitPart* unsplit_at(const std::vector<std::uint32_t>& path) const;
  const UnsplitPart* local_at(const std::vector<std::uint32_t>& path) const;
};

struct SidePlan {
  const spirv::Module* module = nullptr;
  std::vector<VariablePlan> variables;
};

// How scalarized code reaches a variable.
enum class AccessMode {
  load_at_entry,  // inputs without a vertex index: loaded once, at the start
  store_at_exit,  // outputs that only this invocation sees: kept in local temporaries, stored before each exit or emit
  in_place,       // per-vertex inputs, and outputs that several invocations share: at each access
};
AccessMode access_mode(Stage stage, const InterfaceVariable& variable);

// Fragment inputs that cannot be interpolated are flat, even where the module does not say so: compilers leave Flat out
// inside of blocks, where the validator does not look, but a variable of its own needs it
// (VUID-StandaloneSpirv-Flat-04744).
void make_flat_what_must_be(InterfaceVariable& variable);

// Requirements of one side alone: parts that its code indexes dynamically, unsupported uses, captured outputs.
SidePlan plan_side(const spirv::Module& module, const Entry& entry, Direction direction);

// Keeps every block whole of which a part would become an array of arrays of its own: Metal takes these as members of a
// block only.
void keep_blocks_of_nested_arrays(SidePlan& side);

// Makes both plans agree, in place. `mismatches` receives one sentence for each pair of variables whose declarations do
// not fit together (types, patch, per-primitive), which are then fixed on both sides. A local part becomes unsplit if
// the consumer needs it unsplit, or if it fills its locations and is read completely: scalarizing it would win nothing.
void reconcile(SidePlan& producer, SidePlan& consumer, std::vector<std::string>& mismatches);

// Type at the end of a constant path inside `type`; 0 if the path does not exist.
spirv::Id type_at(const spirv::Module& module, spirv::Id type, const std::vector<std::uint32_t>& path);

// Whether `path` leads to the target of `prefix` or into it.
bool is_prefix(const std::vector<std::uint32_t>& prefix, const std::vector<std::uint32_t>& path);

// Leaves of the variable at or below `path`, as indices into variable.leaves.
std::vector<std::size_t> leaves_below(const InterfaceVariable& variable, const std::vector<std::uint32_t>& path);

// The first leaf of a part that has some, as a description of the part: it has RelaxedPrecision if all of the part has.
Leaf description_of(const InterfaceVariable& variable, const std::vector<std::uint32_t>& path);

// Members of the part are interpolated differently, so that no qualifier of the part as a whole is right.
bool mixes_interpolation(const InterfaceVariable& variable, const std::vector<std::uint32_t>& path);

// Constant indices at the front of an access (per-vertex index left out), and whether something dynamic follows them.
struct ConstantPath {
  std::vector<std::uint32_t> path;
  bool dynamic_behind = false;
};
ConstantPath constant_path(const spirv::Module& module, const InterfaceVariable& variable, const PointerAccess& access);

}  // namespace varylink::varyings
