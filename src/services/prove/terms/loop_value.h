// Loops without a constant trip count, as values: a loop's result is determined by the condition to go on, the first
// and next value of each loop variable, and the expression over the loop variables that is asked for. Loop variables
// are numbered by structure, not by position, so that loops with the same recurrences give the same terms.
#pragma once

#include <unordered_map>
#include <vector>

#include "prove/terms/hash_tables.h"
#include "prove/terms/term.h"

namespace varylink::prove {

struct LoopVariable {
  Term parameter = kNoTerm;  // the symbol that stands for it in the terms of one iteration
  Term first = kNoTerm;
  Term next = kNoTerm;
};

class LoopValues {
 public:
  // `goes_on`: condition for another iteration, over the parameters.
  LoopValues(Terms& terms, std::vector<LoopVariable> variables, Term goes_on);
  // The value of `expression` in the iteration that leaves the loop.
  Term operator()(Term expression);

 private:
  std::vector<std::size_t> needed_by(const std::vector<Term>& roots) const;
  std::uint64_t color(Term term, std::unordered_map<Term, std::uint64_t>& known, unsigned depth = 0) const;
  void sort_by_structure();
  bool convergent(const std::vector<Term>& roots) const;

  Terms& terms_;
  std::vector<LoopVariable> variables_;
  Term goes_on_;
  std::unordered_map<Term, std::size_t> by_parameter_;
  WalkMemo known_;
};

// The term with each part that `replacements` has replaced as it says, in normal form. `across`: also inside of
// operations on the operands of other invocations. `known` is of calls with the same replacements, or clear.
Term replace(Terms& terms, Term term, const std::unordered_map<Term, Term>& replacements, WalkMemo& known,
             bool across = true);

}  // namespace varylink::prove
