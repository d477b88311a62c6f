#include "passes/affine/affine_plan.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <type_traits>

#include "base/seeded_fault.h"
#include "graph/affine_code.h"
#include "graph/affine_rank.h"

namespace varylink::passes {
namespace {

using graph::AffineForms;
using graph::AffineSum;
using graph::Monomial;
using graph::ValueId;
using varyings::ScalarKind;
using varyings::ScalarType;

// Products of uniforms by which sent values are multiplied to find combinations.
constexpr std::size_t kMostFactors = 16;

// Forms that come first are sent, if there is a choice. Nothing divides by a uniform, so that forms multiplied by fewer
// of them come first; then the forms of fewer and smaller terms, of which the others are well-conditioned sums.
template <typename Number>
std::tuple<std::size_t, std::size_t, double> complexity_of(const graph::AffineForm<Number>& form) {
  std::size_t uniforms = 0, atoms = 0;
  double magnitude = 0;
  for (const auto& [monomial, coefficient] : form) {
    if (!monomial.is_rematerializable()) uniforms += monomial.uniforms.size();
    if (!monomial.is_rematerializable()) ++atoms;
    if constexpr (std::is_same_v<Number, double>)
      magnitude += std::abs(coefficient);
    else
      magnitude += std::min(coefficient, 0u - coefficient);
  }
  return {uniforms, atoms, magnitude};
}

}  // namespace

std::vector<RebuiltInput> AffinePlanner::candidates() {
  std::vector<RebuiltInput> result;
  for (const auto& [key, rows] : components_.classes()) {
    const ScalarType type = std::get<ScalarType>(key);
    if (rows.size() < 2) continue;
    if (type.kind == ScalarKind::floating)
      reduce<double>(type, rows, result);
    else
      reduce<std::uint32_t>(type, rows, result);
  }
  std::sort(result.begin(), result.end(), [](const RebuiltInput& a, const RebuiltInput& b) { return a.slot < b.slot; });
  return result;
}

// Greedy, as for the basis of any matroid: rows that have to be sent first, then the least complex ones.
template <typename Number>
void AffinePlanner::reduce(ScalarType type, std::vector<Row> rows, std::vector<RebuiltInput>& result) {
  AffineForms<Number> forms(components_.graph(), type,
                            [this](ValueId value) { return components_.is_rematerializable(value); });
  std::vector<ValueId> values;
  for (const Row& row : rows) values.push_back(row.value);
  forms.add(values);
  keep_dependent(rows, forms);
  if (rows.empty()) return;
  const auto rank_of = [&](const Row& row) {
    return std::tuple(!row.stays, row.relaxed, complexity_of(forms[row.value]), row.slot);
  };
  std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return rank_of(a) < rank_of(b); });
  // Full precision never comes from less.
  graph::AffineBasis<Number> full(factors_of<Number>(rows, forms)), any = full;
  std::vector<Row> sent_full, sent;
  for (const Row& row : rows) {
    const auto& form = forms[row.value];
    const auto sum = row.stays ? std::nullopt : (row.relaxed ? any : full).express(form);
    std::optional<RebuiltInput> rebuilt;
    if (sum) rebuilt = rebuild(row, row.relaxed ? sent : sent_full, type, *sum);
    if (rebuilt) {
      result.push_back(std::move(*rebuilt));
      continue;
    }
    any.send(form);
    sent.push_back(row);
    if (row.relaxed) continue;
    full.send(form);
    sent_full.push_back(row);
  }
}

// Takes the rows out that are computed from no others, and no others from them.
template <typename Number>
void AffinePlanner::keep_dependent(std::vector<Row>& rows, const AffineForms<Number>& forms) const {
  if constexpr (std::is_same_v<Number, double>) {
    const auto keep = [&](auto test) {
      std::vector<const graph::AffineForm<double>*> listed;
      for (const Row& row : rows) listed.push_back(&forms[row.value]);
      const std::vector<bool> kept = test(listed);
      std::size_t next = 0;
      std::erase_if(rows, [&](const Row&) { return !kept[next++]; });
    };
    keep([](const auto& listed) { return graph::may_depend(listed); });
    if (!rows.empty()) keep([&](const auto& listed) { return graph::may_cancel(listed, factors_of(rows, forms)); });
  }
}

template <typename Number>
std::vector<Monomial> AffinePlanner::factors_of(const std::vector<Row>& rows, const AffineForms<Number>& forms) const {
  std::set<Monomial> factors;
  for (const Row& row : rows)
    for (const auto& [monomial, coefficient] : forms[row.value])
      if (!monomial.is_rematerializable() && !monomial.uniforms.empty())
        factors.insert({graph::kNoValue, monomial.uniforms});
  std::vector<Monomial> result(factors.begin(), factors.end());
  result.resize(std::min(result.size(), kMostFactors));
  return result;
}

template <typename Number>
std::optional<RebuiltInput> AffinePlanner::rebuild(const Row& row, const std::vector<Row>& sent, ScalarType type,
                                                   const AffineSum<Number>& sum) {
  std::vector<ValueId> values;
  for (const Row& each : sent) values.push_back(each.value);
  RebuiltInput input;
  input.slot = row.slot;
  for (const graph::AffineTerm<Number>& term : sum.terms) input.from.emplace(values[term.row], sent[term.row].slot);
  AffineSum<Number> used = sum;
  if (seeded_fault("affine-forgets-the-rest")) used.rest.clear();
  input.expression = graph::code_of(components_.graph(), type, used, values);
  if (!components_.is_worth_it(input)) return std::nullopt;
  return input;
}

}  // namespace varylink::passes
