// In which range the numbers are that a term stands for, as far as the ranges of vertex formats tell.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <unordered_map>

#include "prove/terms/term.h"

namespace varylink::prove {

// Of reals, or of integers as numbers with a sign.
struct NumberRange {
  double low = 0, high = 0;
};

class TermRanges {
 public:
  explicit TermRanges(Terms& terms) : terms_(terms) {}

  // The symbol is in this range.
  void know(Term symbol, NumberRange range) { known_[symbol] = range; }

  // The application of `name`, as the machine calls it ("SLessThan", "glsl.FClamp.43"), if it is one of its operands or
  // a constant for all numbers of their ranges.
  std::optional<Term> decided(const std::string& name, Sort sort, std::span<const Term> operands);

 private:
  using Ranges = std::vector<NumberRange>;
  std::optional<NumberRange> range(Term term);
  std::optional<NumberRange> computed(Term term);
  std::optional<NumberRange> of_sum(Term term);
  std::optional<NumberRange> of_product(Term term);
  std::optional<NumberRange> of_application(Term term);
  std::optional<Ranges> of_all(std::span<const Term> terms);

  Terms& terms_;
  std::unordered_map<Term, std::optional<NumberRange>> known_;
};

}  // namespace varylink::prove
