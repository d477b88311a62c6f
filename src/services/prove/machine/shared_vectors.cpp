// Which invocations store to the components of the output vectors that several of them can reach: outputs of
// mesh stages, and patch outputs. Implementations may write a vector as a whole, so that components which several
// invocations own must not share one that they did not share before.
#include <algorithm>

#include "prove/machine/interface_leaves.h"
#include "prove/machine/machine.h"

namespace varylink::prove {

// The record without what is stored: at which elements, under which conditions, in front of which barriers.
Term Machine::places_stored(Term record, std::unordered_map<Term, Term>& known, unsigned depth) {
  constexpr unsigned kMostStores = 5000;
  if (depth > kMostStores) throw Unsupported{"too many stores in a row"};
  if (const auto found = known.find(record); found != known.end()) return found->second;
  const std::vector<Term> parts(terms_.children(record).begin(), terms_.children(record).end());
  Term result = record;
  if (terms_[record].kind == Kind::choice) {
    result =
        terms_.choose(parts[0], places_stored(parts[1], known, depth + 1), places_stored(parts[2], known, depth + 1));
  } else if (terms_.is(record, "barrier")) {
    const Term before = places_stored(parts[0], known, depth + 1);
    result = terms_.apply_varying(Sort::memory, "barrier", {&before, 1}, {}, false);
  } else if (terms_.is(record, "store element")) {
    std::vector<Term> place = parts;
    place.front() = places_stored(parts[0], known, depth + 1);
    place.back() = terms_.boolean(true);
    const std::span<const Term> last = terms_.children(place.front());
    const bool again = terms_.is(place.front(), "store element") &&
                       std::ranges::equal(last.subspan(1), std::span<const Term>(place).subspan(1));
    result = again ? place.front() : terms_.apply_varying(Sort::memory, "store element", place, {}, false);
  }
  known.emplace(record, result);
  return result;
}

// Where an invocation of the patch stores to the leaf since the last barrier.
Term Machine::stores_since_barrier(Term leaf, std::unordered_map<Term, Term>& known) {
  if (as_left_.contains(leaf)) return terms_.boolean(false);
  if (terms_[leaf].kind != Kind::choice) return terms_.boolean(true);
  if (const auto found = known.find(leaf); found != known.end()) return found->second;
  const std::vector<Term> parts(terms_.children(leaf).begin(), terms_.children(leaf).end());
  const Term result =
      terms_.choose(parts[0], stores_since_barrier(parts[1], known), stores_since_barrier(parts[2], known));
  known.emplace(leaf, result);
  return result;
}

// The invocation that alone stores to the leaf, or the condition under which any does.
Term Machine::owner_in_patch(Term leaf) {
  std::unordered_map<Term, Term> known;
  const Term condition = stores_since_barrier(leaf, known);
  std::optional<std::uint32_t> owner;
  for (std::uint32_t i = 0; i < patch_vertices_; ++i) {
    if (terms_.is_false(at_vertex(condition, terms_.integer(i)))) continue;
    if (owner) return condition;
    owner = i;
  }
  return owner ? terms_.integer(*owner) : terms_.boolean(false);
}

void Machine::note_owners(const State& state) {
  for (const std::uint32_t leaf : patch_leaves()) {
    std::vector<Term>& owners = owners_[leaf];
    const Term owner = owner_in_patch(state.leaves.at(leaf));
    if (!terms_.is_false(owner) && std::ranges::find(owners, owner) == owners.end()) owners.push_back(owner);
  }
}

// First leaf and number of leaves of each vector of the type.
void Machine::for_each_vector(Id type, std::uint32_t first,
                              const std::function<void(std::uint32_t, std::uint32_t)>& visit) const {
  switch (facts_.op(type)) {
    case spv::Op::OpTypeVector: return visit(first, facts_.leaf_count(type));
    case spv::Op::OpTypeMatrix:
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeStruct:
      for (std::uint32_t i = 0; i < facts_.elements(type); ++i)
        for_each_vector(facts_.element(type, i), first + facts_.leaf_offset(type, i), visit);
      return;
    default: return;
  }
}

std::map<Place, std::set<Term>> Machine::shared_vectors(const State& state) {
  std::map<Place, std::set<Term>> result;
  if (stage_ != Stage::mesh && owners_.empty()) return result;
  std::unordered_map<Term, Term> known;
  const auto owner = [&](std::uint32_t leaf) {
    if (stage_ == Stage::mesh) return places_stored(state.leaves.at(leaf), known);
    return terms_.apply(Sort::memory, "stored by", owners_.at(leaf));
  };
  for (const auto& [variable, slot] : slots_) {
    if (!is_output(variable)) continue;
    if (stage_ != Stage::mesh && output_type(variable) != held_type(variable)) continue;
    const Id type = output_type(variable);
    const std::vector<InterfaceLeaf> leaves = interface_leaves(facts_, variable, type);
    for_each_vector(type, 0, [&, slot = slot](std::uint32_t first, std::uint32_t count) {
      std::set<Term> owners;
      for (std::uint32_t i = 0; i < count; ++i) owners.insert(owner(slot + first + i));
      if (owners.size() > 1) result.emplace(leaves.at(first).place, std::move(owners));
    });
  }
  return result;
}

}  // namespace varylink::prove
