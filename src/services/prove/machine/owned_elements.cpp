#include "prove/machine/owned_elements.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "spirv/ir/module.h"

namespace varylink::prove {
namespace {

// number * step + offset + what is the same for all invocations
struct Multiple {
  std::uint64_t step = 0;
  std::vector<std::pair<std::uint64_t, Term>> common;  // coefficients and products
  std::int32_t offset = 0;
};

// Far below where a product with the number of an invocation could wrap.
constexpr std::uint64_t kMostStep = 1u << 16;

bool is_number_of_invocation(const Terms& terms, Term term, bool is_row) {
  if (terms[term].kind != Kind::symbol || !terms.is(term, "built-in")) return false;
  const auto literals = terms.literals(term);
  switch (static_cast<spv::BuiltIn>(literals[0])) {
    case spv::BuiltIn::LocalInvocationIndex: return true;
    case spv::BuiltIn::LocalInvocationId:
    case spv::BuiltIn::GlobalInvocationId: return is_row && literals[1] == 0;
    default: return false;
  }
}

std::optional<Multiple> multiple_of(const Terms& terms, Term index, bool is_row) {
  if (terms[index].sort != Sort::int32) return std::nullopt;
  Multiple result;
  for (const Terms::Summand& summand : terms.summands(index)) {
    if (is_number_of_invocation(terms, summand.product, is_row)) {
      if (result.step != 0 || summand.coefficient > kMostStep) return std::nullopt;
      result.step = summand.coefficient;
    } else if (terms[summand.product].convergent) {
      result.common.emplace_back(summand.coefficient, summand.product);
    } else {
      return std::nullopt;
    }
  }
  result.offset = static_cast<std::int32_t>(terms.constant_summand(index));
  return result.step != 0 ? std::optional(result) : std::nullopt;
}

}  // namespace

bool have_one_owner_each(const Terms& terms, const std::vector<std::vector<Term>>& elements, bool is_row) {
  std::optional<Multiple> first;
  std::int64_t lowest = 0, highest = 0;
  for (const std::vector<Term>& element : elements) {
    if (element.size() != 1) return false;
    const std::optional<Multiple> here = multiple_of(terms, element[0], is_row);
    if (!here) return false;
    if (!first) {
      first = here;
      lowest = highest = here->offset;
    }
    if (here->step != first->step || here->common != first->common) return false;
    lowest = std::min<std::int64_t>(lowest, here->offset);
    highest = std::max<std::int64_t>(highest, here->offset);
  }
  return first && static_cast<std::uint64_t>(highest - lowest) < first->step;
}

bool are_constant(const Terms& terms, const std::vector<std::vector<Term>>& elements) {
  return std::ranges::all_of(elements, [&](const std::vector<Term>& element) {
    return std::ranges::all_of(element, [&](Term index) { return terms.is_constant(index); });
  });
}

}  // namespace varylink::prove
