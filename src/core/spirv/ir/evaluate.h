// The result of an operation over a domain, such as bits, ranges or sums of terms.
#pragma once

#include <optional>
#include <span>

#include "spirv/ir/operations.h"

namespace varylink::spirv {

// Calls the member of `domain` that is named like the formula, with the operands; it gives Domain::Result, or none
// where the result is not known. None if the domain has no such member: each domain says only what it knows.
template <typename Domain, typename Operand>
std::optional<typename Domain::Result> evaluate(const Domain& domain, Formula formula, std::span<const Operand> x) {
  switch (formula) {
    case Formula::none: break;
#define FORMULA(name, operands)                                                      \
  case Formula::name:                                                                \
    if (x.size() < operands) break;                                                  \
    if constexpr (operands == 1 && requires { domain.name(x[0]); })                  \
      return domain.name(x[0]);                                                      \
    else if constexpr (operands == 2 && requires { domain.name(x[0], x[1]); })       \
      return domain.name(x[0], x[1]);                                                \
    else if constexpr (operands == 3 && requires { domain.name(x[0], x[1], x[2]); }) \
      return domain.name(x[0], x[1], x[2]);                                          \
    break;
#include "spirv/ir/formulas.def"
#undef FORMULA
  }
  return std::nullopt;
}

}  // namespace varylink::spirv
