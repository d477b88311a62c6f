#include "prove/machine/records.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "prove/terms/unsupported.h"

namespace varylink::prove {
namespace {

enum class Relation { same, other, unknown };

class ElementReader {
 public:
  // `of_store`: what a store to the element is read as; `nothing`: what no store is.
  ElementReader(Terms& terms, std::span<const Term> indices, Term nothing, std::function<Term(Term)> of_store)
      : terms_(terms), indices_(indices), nothing_(nothing), of_store_(std::move(of_store)) {}

  std::optional<Term> read(Term record) {
    while (true) {
      if (terms_[record].kind == Kind::symbol) return nothing_;
      if (terms_[record].kind == Kind::choice) return read_choice(record);
      if (terms_.is(record, "barrier")) {
        record = terms_.children(record)[0];
        continue;
      }
      if (!terms_.is(record, "store element")) return std::nullopt;
      switch (relation(record)) {
        case Relation::same: return of_store_(record);
        case Relation::unknown: return std::nullopt;
        case Relation::other: record = terms_.children(record)[0];
      }
    }
  }

 private:
  std::optional<Term> read_choice(Term record) {
    if (const auto found = known_.find(record); found != known_.end()) return found->second;
    const std::vector<Term> parts(terms_.children(record).begin(), terms_.children(record).end());
    const std::optional<Term> first = read(parts[1]), second = read(parts[2]);
    std::optional<Term> result;
    if (first && second) result = terms_.choose(parts[0], *first, *second);
    known_.emplace(record, result);
    return result;
  }

  Relation relation(Term store) {
    const std::vector<Term> parts(terms_.children(store).begin(), terms_.children(store).end());
    if (parts.size() != indices_.size() + 2) return Relation::unknown;
    Relation result = Relation::same;
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      const Term index = parts[i + 1];
      if (index == indices_[i]) continue;
      result = Relation::unknown;
      if (terms_[index].sort != terms_[indices_[i]].sort) continue;
      const Term difference = terms_.subtract(index, indices_[i]);
      if (terms_.is_constant(difference) && terms_.bits(difference) != 0) return Relation::other;
    }
    return result;
  }

  Terms& terms_;
  std::span<const Term> indices_;
  Term nothing_;
  std::function<Term(Term)> of_store_;
  std::unordered_map<Term, std::optional<Term>> known_;  // of choices: records share what was stored before
};

}  // namespace

std::optional<std::vector<std::vector<Term>>> stored_elements(const Terms& terms, Term record) {
  std::vector<std::vector<Term>> result;
  std::unordered_set<Term> seen;
  std::vector<Term> pending = {record};
  while (!pending.empty()) {
    const Term term = pending.back();
    pending.pop_back();
    if (terms[term].kind == Kind::symbol || !seen.insert(term).second) continue;
    const std::span<const Term> parts = terms.children(term);
    if (terms[term].kind == Kind::choice) {
      pending.insert(pending.end(), {parts[1], parts[2]});
      continue;
    }
    if (!terms.is(term, "store element") && !terms.is(term, "barrier")) return std::nullopt;
    pending.push_back(parts[0]);
    if (terms.is(term, "barrier")) continue;
    std::vector<Term> indices(parts.begin() + 1, parts.end() - 1);
    if (std::ranges::find(result, indices) == result.end()) result.push_back(std::move(indices));
  }
  std::ranges::reverse(result);
  return result;
}

std::optional<Term> stored_value(Terms& terms, Term record, std::span<const Term> indices, Sort sort) {
  const auto value = [&](Term store) {
    const Term stored = terms.children(store).back();
    if (terms[stored].sort != sort) throw Unsupported{"what a workgroup shares has another type where it is read"};
    return stored;
  };
  return ElementReader(terms, indices, terms.undefined(sort), value).read(record);
}

std::optional<Term> stored_condition(Terms& terms, Term record, std::span<const Term> indices) {
  const auto always = [&](Term) { return terms.boolean(true); };
  return ElementReader(terms, indices, terms.boolean(false), always).read(record);
}

}  // namespace varylink::prove
