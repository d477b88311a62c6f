#include "graph/affine_rank.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace varylink::graph {
namespace {

// What AffineBasis takes for 0 are roundings of float terms, amplified a few times: far below this.
constexpr double kZero = 1e-4;
constexpr double kNoPart = 1e-9;

// SplitMix64.
std::uint64_t mixed(std::uint64_t bits) {
  bits *= 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

// A number between 1 and 2 for each uniform, always the same.
double number_for(ValueId uniform) {
  return 1.0 + static_cast<double>(mixed(std::uint64_t{uniform} + 1) >> 12) * 0x1p-52;
}

// The sum of what stands for the factors, so that what stands for a product is a sum, too. Where two products have the
// same, more may cancel than does.
std::uint64_t mark_of(const Monomial& monomial) {
  std::uint64_t mark = monomial.is_rematerializable() ? 0 : mixed((std::uint64_t{monomial.atom} << 32) + 1);
  for (const ValueId uniform : monomial.uniforms) mark += mixed(std::uint64_t{uniform} + 1);
  return mark;
}

// All products of forms and factors, each as the list of the monomials in it.
class Multiples {
 public:
  Multiples(std::span<const AffineForm<double>* const> forms, std::span<const Monomial> factors) {
    std::vector<std::pair<std::uint64_t, std::size_t>> marks;  // of a monomial, and the multiple that it is in
    std::vector<std::uint64_t> factor_marks = {0};
    for (const Monomial& factor : factors) factor_marks.push_back(mark_of(factor));
    for (std::size_t form = 0; form < forms.size(); ++form)
      for (const std::uint64_t factor : factor_marks) {
        for (const auto& [monomial, coefficient] : *forms[form])
          if (!monomial.is_rematerializable() && coefficient != 0)
            marks.emplace_back(mark_of(monomial) + factor, form_of_.size());
        form_of_.push_back(form);
      }
    std::sort(marks.begin(), marks.end());
    monomials_.resize(form_of_.size());
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (i == 0 || marks[i].first != marks[i - 1].first) multiples_.emplace_back();
      if (!multiples_.back().empty() && multiples_.back().back() == marks[i].second) continue;
      multiples_.back().push_back(marks[i].second);
      monomials_[marks[i].second].push_back(multiples_.size() - 1);
    }
    is_left_.assign(form_of_.size(), true);
  }

  // Takes out multiples with a monomial that no other has, until none is left.
  void peel() {
    std::vector<std::size_t> count, work;
    for (const auto& multiples : multiples_) {
      count.push_back(multiples.size());
      if (multiples.size() == 1) work.push_back(count.size() - 1);
    }
    while (!work.empty()) {
      const std::vector<std::size_t>& holders = multiples_[work.back()];
      work.pop_back();
      const auto holder = std::find_if(holders.begin(), holders.end(), [&](std::size_t i) { return is_left_[i]; });
      if (holder == holders.end()) continue;
      is_left_[*holder] = false;
      for (const std::size_t monomial : monomials_[*holder])
        if (--count[monomial] == 1) work.push_back(monomial);
    }
  }

  std::vector<bool> forms_left(std::size_t count) const {
    std::vector<bool> left(count, false);
    for (std::size_t i = 0; i < form_of_.size(); ++i) left[form_of_[i]] = left[form_of_[i]] || is_left_[i];
    return left;
  }

 private:
  std::vector<std::size_t> form_of_;                 // by multiple
  std::vector<std::vector<std::size_t>> monomials_;  // by multiple
  std::vector<std::vector<std::size_t>> multiples_;  // by monomial
  std::vector<bool> is_left_;                        // by multiple
};

// Rows of coefficients by atom, each scaled so that its largest is 1, beside how it is made of the forms.
class Matrix {
 public:
  explicit Matrix(std::span<const AffineForm<double>* const> forms) {
    std::map<ValueId, std::size_t> columns;
    for (const auto* form : forms)
      for (const auto& [monomial, coefficient] : *form)
        if (!monomial.is_rematerializable()) columns.emplace(monomial.atom, columns.size());
    for (std::size_t i = 0; i < forms.size(); ++i) {
      rows_.emplace_back(columns.size(), 0.0);
      made_of_.emplace_back(forms.size(), 0.0);
      for (const auto& [monomial, coefficient] : *forms[i]) {
        if (monomial.is_rematerializable()) continue;
        double value = coefficient;
        for (const ValueId uniform : monomial.uniforms) value *= number_for(uniform);
        rows_[i][columns.at(monomial.atom)] += value;
      }
      const double size = magnitude(rows_[i]);
      if (size > 0)
        for (double& value : rows_[i]) value /= size;
      made_of_[i][i] = 1;
    }
  }

  // Gauss, with the largest number left as pivot. Which forms the rows that became 0 are made of.
  std::vector<bool> forms_of_zero() {
    std::vector<bool> is_done(rows_.size(), false), found(rows_.size(), false);
    for (std::size_t step = 0; step < rows_.size(); ++step) {
      std::size_t row = rows_.size();
      for (std::size_t i = 0; i < rows_.size(); ++i)
        if (!is_done[i] && (row == rows_.size() || magnitude(rows_[i]) > magnitude(rows_[row]))) row = i;
      is_done[row] = true;
      if (!(magnitude(rows_[row]) > kZero)) {  // also where it is no number
        for (std::size_t form = 0; form < rows_.size(); ++form)
          found[form] = found[form] || !(std::abs(made_of_[row][form]) <= kNoPart);
        continue;
      }
      eliminate(row, is_done);
    }
    return found;
  }

 private:
  static double magnitude(const std::vector<double>& row) {
    double largest = 0;
    for (const double value : row)
      if (!(std::abs(value) <= largest)) largest = std::abs(value);
    return largest;
  }

  void eliminate(std::size_t row, const std::vector<bool>& is_done) {
    const auto pivot =
        static_cast<std::size_t>(std::max_element(rows_[row].begin(), rows_[row].end(),
                                                  [](double a, double b) { return std::abs(a) < std::abs(b); }) -
                                 rows_[row].begin());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (is_done[i] || rows_[i][pivot] == 0) continue;
      const double factor = rows_[i][pivot] / rows_[row][pivot];
      for (std::size_t column = 0; column < rows_[i].size(); ++column) rows_[i][column] -= factor * rows_[row][column];
      for (std::size_t form = 0; form < rows_.size(); ++form) made_of_[i][form] -= factor * made_of_[row][form];
      rows_[i][pivot] = 0;
    }
  }

  std::vector<std::vector<double>> rows_, made_of_;
};

}  // namespace

std::vector<bool> may_cancel(std::span<const AffineForm<double>* const> forms, std::span<const Monomial> factors) {
  Multiples multiples(forms, factors);
  multiples.peel();
  return multiples.forms_left(forms.size());
}

std::vector<bool> may_depend(std::span<const AffineForm<double>* const> forms) { return Matrix(forms).forms_of_zero(); }

}  // namespace varylink::graph
