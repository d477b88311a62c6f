#include "prove/terms/loop_value.h"

#include <algorithm>
#include <set>

#include "prove/terms/mix.h"
#include "prove/terms/unsupported.h"

namespace varylink::prove {
namespace {

constexpr int kColorRounds = 8;
constexpr unsigned kMostColorDepth = 2000;  // of terms that are told apart
constexpr unsigned kDeepestTerm = 20000;

// `lowest` is the first of the terms that are replaced.
Term replace_step(Terms& terms, Term term, const std::unordered_map<Term, Term>& replacements, Term lowest,
                  WalkMemo& known, bool across, unsigned depth) {
  if (term < lowest) return term;  // a term is made after its operands, so that it has none of those replaced
  if (depth > kDeepestTerm) throw Unsupported{"an expression nested too deeply"};
  if (const auto found = replacements.find(term); found != replacements.end()) return found->second;
  if (terms[term].child_count == 0 || (terms[term].across && !across)) return term;
  if (const Term found = known.find(term); found != WalkMemo::kNone) return found;
  terms.spend_step();
  std::vector<Term> parts(terms.children(term).begin(), terms.children(term).end());
  bool changed = false;
  for (Term& part : parts) {
    const Term other = replace_step(terms, part, replacements, lowest, known, across, depth + 1);
    changed = changed || other != part;
    part = other;
  }
  const Term result = changed ? terms.rebuild(term, parts) : term;
  known.add(term, result);
  return result;
}

}  // namespace

Term replace(Terms& terms, Term term, const std::unordered_map<Term, Term>& replacements, WalkMemo& known,
             bool across) {
  if (replacements.empty()) return term;
  Term lowest = replacements.begin()->first;
  for (const auto& [replaced, by] : replacements) lowest = std::min(lowest, replaced);
  return replace_step(terms, term, replacements, lowest, known, across, 0);
}

LoopValues::LoopValues(Terms& terms, std::vector<LoopVariable> variables, Term goes_on)
    : terms_(terms), variables_(std::move(variables)), goes_on_(goes_on) {
  sort_by_structure();
  for (std::size_t i = 0; i < variables_.size(); ++i) by_parameter_[variables_[i].parameter] = i;
}

// Hash of the structure in which parameters count as their colors.
std::uint64_t LoopValues::color(Term term, std::unordered_map<Term, std::uint64_t>& known, unsigned depth) const {
  if (const auto found = known.find(term); found != known.end()) return found->second;
  if (depth == kMostColorDepth) return terms_[term].structure;
  const Node& node = terms_[term];
  std::uint64_t result = node.structure;
  if (node.child_count != 0) {
    const bool unordered = node.kind == Kind::sum || node.kind == Kind::product || node.commutes;
    std::uint64_t added = 0;
    std::uint64_t hash = mix(static_cast<std::uint64_t>(node.kind) * 16 + static_cast<std::uint64_t>(node.sort),
                             node.bits + node.name * 31u);
    const auto literals = terms_.literals(term);
    const std::vector<Term> parts(terms_.children(term).begin(), terms_.children(term).end());
    // A choice depends on the numbers of its conditions in its order, not in its value; its conditions and leaves as a
    // set are close enough for a color.
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::uint64_t part = color(parts[i], known, depth + 1);
      if (unordered || node.kind == Kind::choice)
        added += mix(part, unordered && i < literals.size() ? literals[i] : 0);
      else
        hash = mix(hash, part);
    }
    result = mix(hash, added);
  }
  known.emplace(term, result);
  return result;
}

void LoopValues::sort_by_structure() {
  std::vector<std::uint64_t> colors(variables_.size());
  std::unordered_map<Term, std::uint64_t> known;
  for (std::size_t i = 0; i < variables_.size(); ++i) colors[i] = color(variables_[i].first, known);
  for (int round = 0; round < kColorRounds; ++round) {
    known.clear();
    for (std::size_t i = 0; i < variables_.size(); ++i) known[variables_[i].parameter] = colors[i];
    std::vector<std::uint64_t> next(colors.size());
    for (std::size_t i = 0; i < variables_.size(); ++i) next[i] = mix(colors[i], color(variables_[i].next, known));
    colors = next;
  }
  std::vector<std::size_t> order(variables_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return colors[i]; });
  std::vector<LoopVariable> sorted;
  for (const std::size_t i : order) sorted.push_back(variables_[i]);
  variables_ = std::move(sorted);
}

// Indices of the variables that the roots depend on, over any number of iterations.
std::vector<std::size_t> LoopValues::needed_by(const std::vector<Term>& roots) const {
  std::set<std::size_t> needed;
  std::set<Term> seen;
  std::vector<Term> pending = roots;
  while (!pending.empty()) {
    const Term term = pending.back();
    pending.pop_back();
    if (!seen.insert(term).second) continue;
    if (const auto found = by_parameter_.find(term); found != by_parameter_.end()) {
      if (needed.insert(found->second).second) pending.push_back(variables_[found->second].next);
      continue;
    }
    for (const Term child : terms_.children(term)) pending.push_back(child);
  }
  return {needed.begin(), needed.end()};
}

// Nothing but parameters keeps the roots from being convergent.
bool LoopValues::convergent(const std::vector<Term>& roots) const {
  std::set<Term> seen;
  std::vector<Term> pending = roots;
  while (!pending.empty()) {
    const Term term = pending.back();
    pending.pop_back();
    if (terms_.is_undefined(term)) return false;  // each invocation may have another one
    if ((terms_[term].convergent && !terms_[term].has_undefined) || by_parameter_.contains(term) ||
        !seen.insert(term).second)
      continue;
    if (terms_[term].child_count == 0) return false;
    bool by_operands = false;
    for (const Term child : terms_.children(term)) {
      by_operands = by_operands || !terms_[child].convergent;
      pending.push_back(child);
    }
    if (!by_operands) return false;
  }
  return true;
}

Term LoopValues::operator()(Term expression) {
  const std::vector<std::size_t> of_expression = needed_by({expression});
  if (of_expression.empty()) return expression;  // the same in every iteration
  const std::vector<std::size_t> needed = needed_by({expression, goes_on_});
  std::vector<Term> roots = {expression, goes_on_};
  for (const std::size_t i : needed) {
    roots.push_back(variables_[i].next);
    roots.push_back(variables_[i].first);
  }
  std::uint32_t height = 0;
  for (const Term root : roots) height = std::max(height, terms_[root].loop_height);
  const bool is_convergent = convergent(roots);
  std::unordered_map<Term, Term> numbered;
  known_.clear();
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const LoopVariable& variable = variables_[needed[i]];
    const std::uint64_t literals[] = {height, i};
    numbered[variable.parameter] =
        terms_.symbol(terms_[variable.parameter].sort, "loop variable", literals, is_convergent);
  }
  std::vector<Term> parts = {replace(terms_, goes_on_, numbered, known_),
                             replace(terms_, expression, numbered, known_)};
  for (const std::size_t i : needed) {
    parts.push_back(variables_[i].first);
    parts.push_back(replace(terms_, variables_[i].next, numbered, known_));
  }
  return terms_.apply_varying(terms_[expression].sort, "loop", parts, {}, is_convergent);
}

}  // namespace varylink::prove
