// Arrays whose elements fill wider vectors: the vector is chosen by the quotient of the element's number, the
// component by its remainder.
#include "prove/machine/machine.h"

namespace varylink::prove {

// The divisor of a quotient without a sign, or with one; the number itself is child 0.
std::optional<Machine::Quotient> Machine::quotient(Term term) const {
  const bool shifts = terms_.is(term, "ShiftRightLogical"), is_signed = terms_.is(term, "SDiv");
  if (!shifts && !is_signed && !terms_.is(term, "UDiv")) return std::nullopt;
  const Term number = terms_.children(term)[0], by = terms_.children(term)[1];
  constexpr std::uint64_t kMostColumns = 4;
  if (terms_[term].sort != Sort::int32 || !terms_.is_constant(by)) return std::nullopt;
  if (shifts && terms_.bits(by) >= kMostColumns) return std::nullopt;
  const std::uint64_t divisor = shifts ? std::uint64_t{1} << terms_.bits(by) : terms_.bits(by);
  if (divisor == 0 || divisor > kMostColumns) return std::nullopt;
  return Quotient{number, static_cast<std::uint32_t>(divisor), is_signed};
}

// `index` is the remainder of the number, as far as the quotient's sign allows to say so.
bool Machine::is_remainder(Term index, Term row, const Quotient& quotient, std::uint32_t width, std::uint32_t behind) {
  const auto is = [&](Term remainder) {
    return index == terms_.add(terms_.scale(remainder, width), terms_.integer(behind));
  };
  if (is(terms_.subtract(quotient.number, terms_.scale(row, quotient.divisor)))) return true;
  if (quotient.is_signed) return false;
  const auto of_number = [&](spv::Op op, std::uint32_t by) {
    const Term parts[] = {quotient.number, terms_.integer(by)};
    return scalar_operation(op, Sort::int32, parts, false);
  };
  const bool is_power = (quotient.divisor & (quotient.divisor - 1)) == 0;
  return (is_power && is(of_number(spv::Op::OpBitwiseAnd, quotient.divisor - 1))) ||
         is(of_number(spv::Op::OpUMod, quotient.divisor));
}

// The last index becomes one with that of the vector in front of it: the number of an element. An index that is outside
// means nothing, before and after.
bool Machine::joins_row(Pointer& pointer, Term index, std::uint32_t columns) {
  if (pointer.steps.empty() || terms_[index].sort != Sort::int32) return false;
  Pointer::Step& row = pointer.steps.back();
  const auto number = quotient(row.index);
  if (row.stride != columns || !number || columns % number->divisor != 0) return false;
  const std::uint32_t width = columns / number->divisor;
  for (std::uint32_t behind = 0; behind < width; ++behind) {
    if (!is_remainder(index, row.index, *number, width, behind)) continue;
    row = {number->number, width, row.count * number->divisor};
    pointer.leaf += behind;
    return true;
  }
  return false;
}

}  // namespace varylink::prove
