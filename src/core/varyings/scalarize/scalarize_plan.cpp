#include "varyings/scalarize/scalarize_plan.h"

#include <algorithm>
#include <set>

#include "base/seeded_fault.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/output_owner.h"
#include "varyings/scalarize/loop_indices.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using MemberPath = std::vector<std::uint32_t>;

const UnsplitPart* part_around(const std::vector<UnsplitPart>& parts, const MemberPath& path) {
  const auto found =
      std::find_if(parts.begin(), parts.end(), [&](const UnsplitPart& part) { return is_prefix(part.path, path); });
  return found == parts.end() ? nullptr : &*found;
}

// A local part around it stays unsplit too: the code reaches all of that part.
void keep_unsplit(VariablePlan& plan, const MemberPath& path, const std::string& reason) {
  if (plan.unsplit_at(path)) return;
  if (path.empty() && plan.shares_locations) plan.fixed = reason + ", and another variable has the same block";
  if (!path.empty() && mixes_interpolation(plan.variable, path))
    plan.fixed = reason + ", and its members are interpolated differently";
  const UnsplitPart* local = plan.local_at(path);
  const UnsplitPart added{local ? local->path : path, reason};
  const auto inside = [&](const UnsplitPart& part) { return is_prefix(added.path, part.path); };
  std::erase_if(plan.unsplit, inside);
  std::erase_if(plan.locals, inside);
  plan.unsplit.push_back(added);
}

void add_local(VariablePlan& plan, const MemberPath& path, const std::string& reason) {
  if (plan.unsplit_at(path) || plan.local_at(path)) return;
  const auto inside = [&](const UnsplitPart& part) { return is_prefix(path, part.path); };
  if (std::any_of(plan.unsplit.begin(), plan.unsplit.end(), inside)) return keep_unsplit(plan, path, reason);
  std::erase_if(plan.locals, inside);
  plan.locals.push_back({path, reason});
}

// Whether a part of the variable may live in a local variable until the exits.
bool can_be_local(const Module& module, const Entry& entry, const VariablePlan& plan) {
  if (plan.variable.direction == Direction::input) return false;
  if (access_mode(entry.stage, plan.variable) == AccessMode::store_at_exit) return true;
  return entry.stage == Stage::tess_control && plan.variable.arrayed &&
         invocation_of_stores(module, plan.accesses) != 0;
}

// The rasterizer interpolates it, or hands on the value of one vertex where it is flat.
bool is_interpolated(const InterfaceVariable& variable) {
  return !variable.arrayed && std::none_of(variable.leaves.begin(), variable.leaves.end(),
                                           [](const Leaf& leaf) { return leaf.per_primitive; });
}

// A store to a component that is not known may become one of the whole vector where nothing else can happen to that in
// between: in the local variables of an invocation (rule ).
bool stores_unknown_component(const Entry& entry, const VariablePlan& plan, const PointerAccess& access) {
  return access.kind == PointerAccess::Kind::store && plan.variable.direction == Direction::output &&
         access_mode(entry.stage, plan.variable) == AccessMode::in_place &&
         !seeded_fault("lift-rewrites-shared-vectors");
}

// The path cut where a vector begins: a dynamic component index splits the vector well enough, unless others store it
// as well.
void plan_access(const Module& module, const Entry& entry, VariablePlan& plan, const PointerAccess& access) {
  const InterfaceVariable& variable = plan.variable;
  if (variable.arrayed && access.indices.empty()) {
    plan.fixed = "the whole per-vertex array is accessed at once";
    return;
  }
  const ConstantPath found = constant_path(module, variable, access);
  const Id type = type_at(module, variable.element_type, found.path);
  if (access.kind == PointerAccess::Kind::interpolate && !is_interpolated(variable))
    return keep_unsplit(plan, {}, "an InterpolateAt instruction reads what is not interpolated");
  if (!found.dynamic_behind) return;
  if (spirv::is_scalar_or_vector(module, type) && !stores_unknown_component(entry, plan, access)) return;
  const std::size_t first = found.path.size() + (variable.arrayed ? 1 : 0);
  const std::string reason = "dynamic index in the " + std::string(short_name(entry.stage)) + " stage" +
                             loop_of_index(module, access.indices[first]);
  if (can_be_local(module, entry, plan))
    add_local(plan, found.path, reason);
  else
    keep_unsplit(plan, found.path, reason);
}

bool in_entry_function(const std::vector<spirv::Place>& places, const Module& module, const Entry& entry,
                       const PointerAccess& access) {
  const spirv::Place& place = places[access.inst.index];
  return place.in_function() && module.functions[place.function].result == entry.function;
}

// A vertex may be emitted by a function that could not be inlined; its outputs cannot be stored from outside.
bool emits_elsewhere(const Module& module, const Entry& entry) {
  for (const spirv::Function& function : module.functions) {
    if (function.result == entry.function) continue;
    for (const spirv::Block& block : function.blocks)
      for (const spirv::InstRef inst : block.body)
        if (module[inst].op == spv::Op::OpEmitVertex || module[inst].op == spv::Op::OpEmitStreamVertex) return true;
  }
  return false;
}

bool shares_locations(const Module& module, const Entry& entry, const InterfaceVariable& variable) {
  const Id structure = spirv::type_without_arrays(module, variable.type);
  if (module.def_op(structure) != spv::Op::OpTypeStruct ||
      !member_decorations_of(module, structure, 0).has(spv::Decoration::Location))
    return false;
  return std::any_of(entry.interface.begin(), entry.interface.end(), [&](Id other) {
    return other != variable.id &&
           spirv::type_without_arrays(module, spirv::pointee_type(module, module.type_of(other))) == structure;
  });
}

// The part that is loaded or stored in one piece with such a number stays unsplit; members beside the part do not.
void keep_whole(const Module& module, VariablePlan& plan, const Leaf& leaf) {
  MemberPath piece = leaf.path;
  for (const PointerAccess& access : plan.accesses.accesses) {
    MemberPath path = constant_path(module, plan.variable, access).path;
    if (path.size() < piece.size() && is_prefix(path, leaf.path)) piece = std::move(path);
  }
  keep_unsplit(plan, piece, "16-bit values may only be copied in this module");
}

void plan_variable(const Module& module, const Entry& entry, const std::vector<spirv::Place>& places,
                   VariablePlan& plan) {
  const InterfaceVariable& variable = plan.variable;
  if (variable.unsupported)
    plan.fixed = "it " + *variable.unsupported;
  else if (plan.accesses.obstacle)
    plan.fixed = plan.accesses.obstacle;
  else if (access_mode(entry.stage, variable) == AccessMode::store_at_exit && emits_elsewhere(module, entry))
    plan.fixed = "vertices are emitted in a function that could not be inlined";
  if (plan.fixed) return;
  for (const PointerAccess& access : plan.accesses.accesses) {
    if (!in_entry_function(places, module, entry, access) && !seeded_fault("functions-that-stay-are-inlined")) {
      plan.fixed = "it is accessed in a function that could not be inlined";
      return;
    }
    plan_access(module, entry, plan, access);
    if (plan.fixed) return;
  }
  for (const Leaf& leaf : variable.leaves) {
    if (leaf.captured) keep_unsplit(plan, {}, "transform feedback captures it");
    if (leaf.invariant) keep_unsplit(plan, {}, "it is declared invariant");
    if (is_storage_only(module, leaf.scalar)) keep_whole(module, plan, leaf);
  }
}

struct Range {
  std::uint32_t first = 0, end = 0;
  bool overlaps(const Range& other) const { return first < other.end && other.first < end; }
};

Range range_of(const InterfaceVariable& variable) {
  return {variable.location, variable.location + variable.location_count};
}

// Components from location 0 on.
Range range_of(const Leaf& leaf) {
  const std::uint32_t first = leaf.slot.location * 4 + leaf.slot.component;
  return {first, first + leaf.count * leaf.slots_per_component()};
}

Range range_of(const Leaf& leaf, std::uint32_t component) {
  const std::uint32_t slots = leaf.slots_per_component(), first = range_of(leaf).first + component * slots;
  return {first, first + slots};
}

// The part and the other variable have a component in common: neighbours in one location need not know of each other.
bool meet(const InterfaceVariable& variable, const MemberPath& path, const InterfaceVariable& other) {
  if (!range_of(variable).overlaps(range_of(other))) return false;
  if (variable.unsupported || other.unsupported) return true;  // its leaves need not be all of it
  std::vector<Range> own;
  for (const std::size_t index : leaves_below(variable, path)) own.push_back(range_of(variable.leaves[index]));
  std::sort(own.begin(), own.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
  return std::any_of(other.leaves.begin(), other.leaves.end(), [&](const Leaf& leaf) {
    const Range range = range_of(leaf);
    const auto after =
        std::partition_point(own.begin(), own.end(), [&](const Range& a) { return a.end <= range.first; });
    return after != own.end() && after->overlaps(range);
  });
}

// Structural equality of types of two modules (rule ), decorations aside.
bool same_shape(const Module& a, Id type_a, const Module& b, Id type_b) {
  if (a.def_op(type_a) != b.def_op(type_b)) return false;
  const auto scalar_a = scalar_type_of(a, type_a);
  if (scalar_a) {
    return scalar_a == scalar_type_of(b, type_b) &&
           spirv::element_count(a, type_a) == spirv::element_count(b, type_b) &&
           spirv::component_count(a, type_a) == spirv::component_count(b, type_b);
  }
  const std::uint32_t count = spirv::element_count(a, type_a);
  if (count == 0 || count != spirv::element_count(b, type_b)) return false;
  const std::uint32_t distinct = a.def_op(type_a) == spv::Op::OpTypeStruct ? count : 1;
  for (std::uint32_t i = 0; i < distinct; ++i)
    if (!same_shape(a, spirv::element_type(a, type_a, i), b, spirv::element_type(b, type_b, i))) return false;
  return true;
}

// Prefixes of the leaf paths: all places inside a variable that can be named by constants.
std::set<MemberPath> all_paths(const InterfaceVariable& variable) {
  std::set<MemberPath> paths;
  for (const Leaf& leaf : variable.leaves)
    for (std::size_t length = 0; length <= leaf.path.size(); ++length)
      paths.insert(MemberPath(leaf.path.begin(), leaf.path.begin() + static_cast<std::ptrdiff_t>(length)));
  return paths;
}

class Reconciler {
 public:
  Reconciler(SidePlan& producer, SidePlan& consumer, std::vector<std::string>& mismatches)
      : sides_{&producer, &consumer}, mismatches_(mismatches) {}

  void run() {
    fix_mismatches();
    for (bool changed = true; changed;) {
      changed = spread(*sides_[0], *sides_[1]);
      changed = spread(*sides_[1], *sides_[0]) || changed;
      if (!changed) changed = drop_useless_locals();
    }
  }

 private:
  // Declarations that claim the same slot with different types are left alone (rules ).
  void fix_mismatches() {
    for (VariablePlan& out : sides_[0]->variables)
      for (VariablePlan& in : sides_[1]->variables)
        if (const auto why = mismatch(out.variable, in.variable)) {
          mismatches_.push_back(*why);
          fix(out, "the declarations of both stages differ");
          fix(in, "the declarations of both stages differ");
        }
  }

  static std::optional<std::string> mismatch(const InterfaceVariable& out, const InterfaceVariable& in) {
    if (!range_of(out).overlaps(range_of(in))) return std::nullopt;
    for (const Leaf& a : out.leaves)
      for (const Leaf& b : in.leaves)
        if (range_of(a).overlaps(range_of(b)) &&
            (a.scalar != b.scalar || a.patch != b.patch || a.per_primitive != b.per_primitive ||
             (a.scalar.width == 64 && a.slot != b.slot)))
          return "location " + text(b.slot) + " is declared differently by the two stages";
    return std::nullopt;
  }

  bool fix(VariablePlan& plan, const std::string& why) {
    if (plan.fixed) return false;
    plan.fixed = why;
    return true;
  }

  bool spread(SidePlan& from, SidePlan& to) {
    bool changed = false;
    for (VariablePlan& plan : from.variables)
      for (VariablePlan& other : to.variables) {
        if (!meet(plan.variable, {}, other.variable)) continue;
        if (plan.fixed)
          changed = fix(other, *plan.fixed) || changed;
        else if (!other.fixed)
          changed = spread_unsplit(from, plan, to, other) || changed;
      }
    return changed;
  }

  bool spread_unsplit(SidePlan& from, VariablePlan& plan, SidePlan& to, VariablePlan& other) {
    bool changed = false;
    const std::vector<UnsplitPart> parts = plan.unsplit;
    for (const UnsplitPart& part : parts) {
      if (!meet(plan.variable, part.path, other.variable)) continue;
      const auto counterpart = find_counterpart(from, plan, part, to, other);
      if (!counterpart) {
        changed = fix(plan, part.reason + ", and the other stage declares it differently") || changed;
        changed = fix(other, part.reason + ", and the other stage declares it differently") || changed;
      } else if (const UnsplitPart* existing = other.unsplit_at(*counterpart); !existing) {
        keep_unsplit(other, *counterpart, part.reason);
        changed = true;
      }
    }
    return changed;
  }

  bool drop_useless_locals() {
    bool changed = false;
    for (VariablePlan& plan : sides_[0]->variables) {
      const std::vector<UnsplitPart> parts = plan.locals;
      for (const UnsplitPart& part : parts) {
        if (plan.fixed || wins_something(plan, part)) continue;
        keep_unsplit(plan, part.path, part.reason);
        changed = true;
      }
    }
    return changed;
  }

  // Components that are free beside an element, or that the consumer does not read.
  bool wins_something(const VariablePlan& plan, const UnsplitPart& part) const {
    for (const std::size_t index : leaves_below(plan.variable, part.path)) {
      const Leaf& leaf = plan.variable.leaves[index];
      if (leaf.count * leaf.slots_per_component() % 4 != 0) return true;
      for (std::uint32_t c = 0; c < leaf.count; ++c)
        if (!is_read(range_of(leaf, c))) return true;
    }
    return false;
  }

  bool is_read(const Range& component) const {
    for (const VariablePlan& in : sides_[1]->variables)
      for (const Leaf& read : in.variable.leaves)
        if (component.overlaps(range_of(read)) && is_read_of(in, read, component)) return true;
    return false;
  }

  bool is_read_of(const VariablePlan& in, const Leaf& read, const Range& component) const {
    return std::any_of(in.accesses.accesses.begin(), in.accesses.accesses.end(), [&](const PointerAccess& access) {
      const MemberPath path = constant_path(*sides_[1]->module, in.variable, access).path;
      if (is_prefix(path, read.path)) return true;
      return is_prefix(read.path, path) && component.overlaps(range_of(read, path[read.path.size()]));
    });
  }

  // The part of `other` that has the same place and the same shape as `part`.
  static std::optional<MemberPath> find_counterpart(const SidePlan& from, const VariablePlan& plan,
                                                    const UnsplitPart& part, const SidePlan& to,
                                                    const VariablePlan& other) {
    const auto mine = leaves_below(plan.variable, part.path);
    const Id type = type_at(*from.module, plan.variable.element_type, part.path);
    for (const MemberPath& path : all_paths(other.variable)) {
      const auto theirs = leaves_below(other.variable, path);
      if (theirs.size() != mine.size() || theirs.empty()) continue;
      bool same_places = true;
      for (std::size_t i = 0; i < mine.size(); ++i)
        same_places = same_places && plan.variable.leaves[mine[i]].slot == other.variable.leaves[theirs[i]].slot;
      if (same_places &&
          same_shape(*from.module, type, *to.module, type_at(*to.module, other.variable.element_type, path)))
        return path;
    }
    return std::nullopt;
  }

  SidePlan* sides_[2];
  std::vector<std::string>& mismatches_;
};

}  // namespace

const UnsplitPart* VariablePlan::unsplit_at(const MemberPath& path) const { return part_around(unsplit, path); }

const UnsplitPart* VariablePlan::local_at(const MemberPath& path) const { return part_around(locals, path); }

void make_flat_what_must_be(InterfaceVariable& variable) {
  for (Leaf& leaf : variable.leaves)
    if ((leaf.scalar.kind != ScalarKind::floating || leaf.scalar.width == 64) && !leaf.interpolation.per_vertex)
      leaf.interpolation.flat = true;
}

AccessMode access_mode(Stage stage, const InterfaceVariable& variable) {
  if (variable.arrayed) return AccessMode::in_place;
  if (variable.direction == Direction::input) return AccessMode::load_at_entry;
  return has_private_outputs(stage) ? AccessMode::store_at_exit : AccessMode::in_place;
}

SidePlan plan_side(const Module& module, const Entry& entry, Direction direction) {
  SidePlan side;
  side.module = &module;
  const spirv::Uses uses(module);
  const std::vector<spirv::Place> places = spirv::places_of(module);
  for (InterfaceVariable& variable : interface_variables(module, entry, direction)) {
    VariablePlan plan;
    if (entry.stage == Stage::fragment && direction == Direction::input) make_flat_what_must_be(variable);
    plan.accesses = accesses_of(module, uses, variable.id);
    plan.variable = std::move(variable);
    plan.shares_locations = shares_locations(module, entry, plan.variable);
    plan_variable(module, entry, places, plan);
    side.variables.push_back(std::move(plan));
  }
  return side;
}

void keep_blocks_of_nested_arrays(SidePlan& side) {
  const Module& module = *side.module;
  const auto nests = [&](const VariablePlan& plan, const UnsplitPart& part) {
    const Id type = type_at(module, plan.variable.element_type, part.path);
    return !part.path.empty() && module.def_op(type) == spv::Op::OpTypeArray &&
           module.def_op(spirv::element_type(module, type)) == spv::Op::OpTypeArray;
  };
  for (VariablePlan& plan : side.variables) {
    const auto nested = std::find_if(plan.unsplit.begin(), plan.unsplit.end(),
                                     [&](const UnsplitPart& part) { return nests(plan, part); });
    if (plan.fixed || nested == plan.unsplit.end()) continue;
    const std::string reason = nested->reason + ", in an array of arrays";
    keep_unsplit(plan, {}, reason);
  }
}

void reconcile(SidePlan& producer, SidePlan& consumer, std::vector<std::string>& mismatches) {
  Reconciler(producer, consumer, mismatches).run();
}

Id type_at(const Module& module, Id type, const MemberPath& path) {
  for (const std::uint32_t index : path) type = spirv::element_type(module, type, index);
  return type;
}

bool is_prefix(const std::vector<std::uint32_t>& prefix, const std::vector<std::uint32_t>& path) {
  return prefix.size() <= path.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

Leaf description_of(const InterfaceVariable& variable, const std::vector<std::uint32_t>& path) {
  const std::vector<std::size_t> leaves = leaves_below(variable, path);
  Leaf described = variable.leaves[leaves.front()];
  if (seeded_fault("parts-are-as-their-first-member")) return described;
  described.relaxed_precision = std::all_of(
      leaves.begin(), leaves.end(), [&](std::size_t index) { return variable.leaves[index].relaxed_precision; });
  return described;
}

bool mixes_interpolation(const InterfaceVariable& variable, const std::vector<std::uint32_t>& path) {
  const std::vector<std::size_t> leaves = leaves_below(variable, path);
  return std::any_of(leaves.begin(), leaves.end(), [&](std::size_t index) {
    return variable.leaves[index].interpolation != variable.leaves[leaves.front()].interpolation;
  });
}

std::vector<std::size_t> leaves_below(const InterfaceVariable& variable, const MemberPath& path) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < variable.leaves.size(); ++i)
    if (is_prefix(path, variable.leaves[i].path)) found.push_back(i);
  return found;
}

ConstantPath constant_path(const Module& module, const InterfaceVariable& variable, const PointerAccess& access) {
  ConstantPath result;
  Id type = variable.element_type;
  for (std::size_t i = variable.arrayed ? 1 : 0; i < access.indices.size(); ++i) {
    const auto index = constant_int(module, access.indices[i]);
    // Accesses that are outside are gone (rule ), but for what only other code than ours makes of them: treating
    // the index as dynamic keeps the declaration as it is.
    if (!index || *index < 0 || *index >= static_cast<std::int64_t>(spirv::element_count(module, type))) {
      result.dynamic_behind = true;
      return result;
    }
    result.path.push_back(static_cast<std::uint32_t>(*index));
    type = spirv::element_type(module, type, result.path.back());
  }
  return result;
}

}  // namespace varylink::varyings
