// Choices in normal form: ordered decision diagrams whose variables are boolean terms and whose leaves are any
// terms (R. E. Bryant, "Graph-Based Algorithms for Boolean Function Manipulation", 1986; restriction: O. Coudert and J.
// C. Madre, "A Unified Framework for the Formal Verification of Sequential Circuits", 1990). A diagram that would grow
// beyond its budget becomes a plain application, which equals only itself.
#include <algorithm>
#include <vector>

#include "prove/terms/term.h"

namespace varylink::prove {
namespace {

constexpr std::uint32_t kChoiceBudget = 20000;  // steps for one choice

}  // namespace

void Terms::set_undefined_is_anything(bool value) {
  undefined_is_anything_ = value;
  choices_.clear();
  restrictions_.clear();
}

// The variable that decides first; kNoTerm for leaves.
Term Terms::top_variable(Term term) const {
  const Node& node = nodes_[term];
  if (node.kind == Kind::choice) return children(term)[0];
  if (node.sort == Sort::boolean && node.kind != Kind::constant && !is_undefined(term)) return term;
  return kNoTerm;
}

// The term where `variable` has that value; `variable` does not come before the term's own.
Term Terms::cofactor(Term term, Term variable, bool value) {
  if (top_variable(term) != variable) return term;
  return term == variable ? boolean(value) : children(term)[value ? 1 : 2];
}

Term Terms::make_choice(Term variable, Term yes, Term no) {
  if (yes == no) return yes;
  if (is_true(yes) && is_false(no) && nodes_[yes].sort == Sort::boolean) return variable;
  if (undefined_is_anything_ && (is_undefined(yes) || is_undefined(no))) {
    took_freedom_ = true;
    return is_undefined(yes) ? no : yes;
  }
  Node node;
  node.kind = Kind::choice;
  node.sort = nodes_[yes].sort;
  node.convergent = nodes_[variable].convergent && nodes_[yes].convergent && nodes_[no].convergent;
  const Term parts[] = {variable, yes, no};
  return intern(node, parts, {});
}

Term Terms::choose_step(Term condition, Term yes, Term no, std::uint32_t& budget) {
  if (is_constant(condition)) return is_true(condition) ? yes : no;
  if (is_undefined(condition)) {  // a leaf of a condition, which decides nothing before the others do
    took_freedom_ = took_freedom_ || undefined_is_anything_;
    return undefined_is_anything_ ? yes : apply(nodes_[yes].sort, "select", {condition, yes, no});
  }
  if (yes == no) return yes;
  if (is_true(yes) && is_false(no) && nodes_[yes].sort == Sort::boolean) return condition;
  const TripleMemo::Key key{condition, yes, no};
  if (const Term found = choices_.find(key); found != TripleMemo::kNone) return found;
  const Term variable = std::min({top_variable(condition), top_variable(yes), top_variable(no)});
  if (budget == 0) {
    const Term parts[] = {condition, yes, no};
    return apply(nodes_[yes].sort, "select", parts);
  }
  --budget;
  const auto part = [&](Term term, bool value) { return cofactor(term, variable, value); };
  const Term high = choose_step(part(condition, true), part(yes, true), part(no, true), budget);
  const Term low = choose_step(part(condition, false), part(yes, false), part(no, false), budget);
  const Term result = make_choice(variable, high, low);
  choices_.add(key, result);
  return result;
}

Term Terms::choose(Term condition, Term yes, Term no) {
  std::uint32_t budget = exhausted() ? 0 : kChoiceBudget;
  return choose_step(condition, yes, no, budget);
}

Term Terms::restrict_step(Term term, Term care, std::uint32_t& budget) {
  if (is_constant(care) || budget == 0) return term;
  const Term variable = top_variable(term);
  if (variable == kNoTerm) return term;
  const TripleMemo::Key key{term, care, 0};
  if (const Term found = restrictions_.find(key); found != TripleMemo::kNone) return found;
  --budget;
  const Term first = top_variable(care);
  Term result = kNoTerm;
  if (first < variable) {
    result = restrict_step(term, logical_or(cofactor(care, first, true), cofactor(care, first, false)), budget);
  } else {
    const Term care_high = cofactor(care, variable, true), care_low = cofactor(care, variable, false);
    if (is_false(care_high))
      result = restrict_step(cofactor(term, variable, false), care_low, budget);
    else if (is_false(care_low))
      result = restrict_step(cofactor(term, variable, true), care_high, budget);
    else
      result = make_choice(variable, restrict_step(cofactor(term, variable, true), care_high, budget),
                           restrict_step(cofactor(term, variable, false), care_low, budget));
  }
  restrictions_.add(key, result);
  return result;
}

Term Terms::restrict_to(Term term, Term care) {
  if (is_false(care)) return term;
  std::uint32_t budget = exhausted() ? 0 : kChoiceBudget;
  return restrict_step(term, care, budget);
}

}  // namespace varylink::prove
