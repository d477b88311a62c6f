// Values that patches and primitives share: inputs of several vertices, outputs of several invocations,
// barriers.
//
// A tessellation control stage runs once, for an invocation whose number is a symbol. What another invocation has is
// the same term with that symbol replaced; what all of them leave for the patch is found by trying every number.
#include <algorithm>

#include "prove/machine/interface_leaves.h"
#include "prove/machine/machine.h"
#include "prove/terms/loop_value.h"

namespace varylink::prove {
namespace {

bool is_tess_level(const std::uint32_t* built_in) {
  return built_in != nullptr && (*built_in == static_cast<std::uint32_t>(spv::BuiltIn::TessLevelOuter) ||
                                 *built_in == static_cast<std::uint32_t>(spv::BuiltIn::TessLevelInner));
}

}  // namespace

bool Machine::is_output(Id variable) const {
  return static_cast<spv::StorageClass>(module_.operand(module_.def(variable), 0).word) == spv::StorageClass::Output;
}

bool Machine::is_patch(Id variable, Id type) const {
  return is_tess_level(facts_.decoration(variable, spv::Decoration::BuiltIn)) ||
         decoration_of_block(facts_, variable, type, spv::Decoration::Patch) != nullptr;
}

// The variable is an array with an element for each vertex of the patch or primitive (Vulkan 15.1.1).
bool Machine::is_per_vertex(Id variable, Id type, spv::StorageClass storage) const {
  if (facts_.op(type) != spv::Op::OpTypeArray || is_patch(variable, type)) return false;
  const bool input = storage == spv::StorageClass::Input, output = storage == spv::StorageClass::Output;
  return (input && (stage_ == Stage::tess_control || stage_ == Stage::tess_eval || stage_ == Stage::geometry)) ||
         (output && (stage_ == Stage::tess_control || stage_ == Stage::mesh));
}

void Machine::declare_per_vertex(Id variable, Id type, spv::StorageClass storage) {
  const std::vector<Sort> sorts = facts_.sorts(type);
  if (storage == spv::StorageClass::Output) {
    if (module_.operands(module_.def(variable)).size() > 1) throw Unsupported{"a per-vertex output with a first value"};
    slots_[variable] = static_cast<std::uint32_t>(state_.leaves.size());
    for (const Sort sort : sorts)
      state_.leaves.push_back(stage_ == Stage::mesh ? nothing_stored() : terms_.undefined(sort));
    return;
  }
  const std::vector<InterfaceLeaf> places = interface_leaves(facts_, variable, type);
  std::vector<Term>& leaves = vertex_inputs_[variable];
  for (std::size_t i = 0; i < sorts.size(); ++i) leaves.push_back(inputs_.vertex_input(places[i].place, sorts[i]));
}

Id Machine::held_type(Id variable) const {
  return module_.operand(module_.def(module_[module_.def(variable)].type), 1).word;
}

// What one invocation holds of an output: per-vertex outputs have an element for each of them.
Id Machine::output_type(Id variable) const {
  const Id type = held_type(variable);
  return is_per_vertex(variable, type, spv::StorageClass::Output) ? facts_.element(type) : type;
}

Term Machine::at_vertex(Term value, Term vertex) {
  return vertices_.try_emplace(vertex, Interpolator(terms_, {"vertex", {vertex}}, semantics_)).first->second(value);
}

Value Machine::load_vertices(const Pointer& pointer) {
  if (pointer.vertex == kNoTerm) {
    Value all;
    facts_.leaf_count(pointer.type);  // not more than a proof can hold
    for (std::uint32_t i = 0; i < facts_.elements(pointer.type); ++i) {
      Pointer element = pointer;
      step_into(element, terms_.integer(i));
      const Value part = load_vertices(element);
      all.leaves.insert(all.leaves.end(), part.leaves.begin(), part.leaves.end());
    }
    return all;
  }
  if (pointer.where == Pointer::Where::vertex_input) {
    const std::vector<Term>& leaves = vertex_inputs_.at(pointer.variable);
    return load_leaves(pointer, [&](std::uint32_t leaf) { return at_vertex(leaves.at(leaf), pointer.vertex); });
  }
  // What other invocations have stored is known since the last barrier, and undefined before the first one. A number
  // may be that of this invocation, which has what it stored itself. Where they may have stored since, who reads may be
  // in front of that or behind.
  const Term both[] = {pointer.vertex, patch_invocation()};
  const Term is_own = scalar_operation(spv::Op::OpIEqual, Sort::boolean, both, false);
  return load_leaves(pointer, [&](std::uint32_t leaf) {
    const Term own = state_.leaves.at(leaf);
    if (terms_.is_true(is_own)) return own;
    if (at_barrier_.empty()) return terms_.choose(is_own, own, terms_.undefined(terms_[own].sort));
    note_read_of_others(leaf, std::span<const Term>(&pointer.vertex, 1));
    const Term before = at_barrier_.at(leaf);
    const Term other = at_vertex(before == own ? before : raced(before, own), pointer.vertex);
    return terms_.choose(is_own, own, other);
  });
}

void Machine::store_vertices(const Pointer& pointer, const Value& value) {
  if (pointer.vertex != patch_invocation()) throw Unsupported{"a store to the outputs of another invocation"};
  store_steps(pointer, 0, pointer.leaf, terms_.boolean(true), value);
}

// A patch output to which no invocation has stored since it was `value`.
Term Machine::left(Term value) {
  const Term result = terms_.apply_varying(terms_[value].sort, "left", {&value, 1}, {}, true);
  as_left_.emplace(result, value);
  return result;
}

// What another invocation reads of an output that was `before` at the last barrier and may have become `after` since.
// It is either: the original's reader takes the former, and so may the linked pipeline where the original leaves the
// same open.
Term Machine::raced(Term before, Term after) {
  const Term open = terms_.apply(terms_[before].sort, "raced", {before, after});
  return !terms_.has_original() || terms_.is_of_original(open) ? before : open;
}

// `which`: the element that is read, if there are several.
void Machine::note_read_of_others(std::uint32_t leaf, std::span<const Term> which) {
  const Term before = state_.leaves.at(leaf);
  std::vector<Term> parts = {before};
  parts.insert(parts.end(), which.begin(), which.end());
  read_of_others_.push_back({leaf, terms_.apply(Sort::handle, "read", parts), before, summarizing_ != 0});
}

// An invocation stores what others may not have read yet, since no barrier is between: the linked pipeline does so only
// where the original does, too.
void Machine::note_stores_behind_reads(const State& state) {
  for (const ReadOfOthers& read : read_of_others_) {
    const Term after = state.leaves.at(read.leaf);
    if (read.is_in_loop)
      note(terms_.apply(Sort::handle, "store behind reads in a loop", std::span<const Term>()), condition_);
    else if (after != read.before)
      note(terms_.apply(Sort::handle, "store behind reads", {read.place, after}), condition_);
  }
  read_of_others_.clear();
}

// What an invocation reads of a patch output: what it stored itself since the last barrier. Else it is what that left,
// unless others may have stored since.
Term Machine::read_of_patch(Term leaf) {
  if (as_left_.contains(leaf)) return as_left(leaf);
  std::unordered_map<Term, Term> read;
  for (const auto& [unstored, value] : as_left_) read.emplace(unstored, raced(value, leaf));
  WalkMemo known;
  return replace(terms_, leaf, read, known);
}

// What the last barrier left, or what was stored since.
Term Machine::as_left(Term leaf) {
  as_left_known_.clear();
  return replace(terms_, leaf, as_left_, as_left_known_);
}

// What a patch output is for all invocations, of what each of them has stored. If several store different values,
// nothing tells which one stays, so that the result is their row, which equals only itself.
Term Machine::of_whole_patch(Term leaf) {
  std::vector<Term> values, stored;
  for (std::uint32_t i = 0; i < patch_vertices_; ++i) {
    values.push_back(at_vertex(leaf, terms_.integer(i)));
    if (!as_left_.contains(values.back())) stored.push_back(values.back());
  }
  if (stored.empty()) return as_left(values[0]);
  const bool one_value = std::ranges::all_of(values, [&](Term value) { return value == values[0]; });
  if (one_value || stored.size() == 1) return as_left(stored[0]);
  return terms_.apply_varying(terms_[leaf].sort, "of the patch", values, {}, true);
}

// Leaves of the outputs that all invocations of the patch share.
std::vector<std::uint32_t> Machine::patch_leaves() const {
  std::vector<std::uint32_t> result;
  if (stage_ != Stage::tess_control) return result;
  for (const auto& [variable, slot] : slots_) {
    if (!is_output(variable) || output_type(variable) != held_type(variable)) continue;
    for (std::uint32_t i = 0; i < facts_.leaf_count(held_type(variable)); ++i) result.push_back(slot + i);
  }
  return result;
}

void Machine::patch_barrier() {
  if (!terms_.is_true(condition_) || summarizing_ != 0) throw Unsupported{"a barrier that is not always reached"};
  note_owners(state_);
  note_stores_behind_reads(state_);
  for (const std::uint32_t leaf : patch_leaves()) state_.leaves[leaf] = left(of_whole_patch(state_.leaves[leaf]));
  at_barrier_ = state_.leaves;
}

}  // namespace varylink::prove
