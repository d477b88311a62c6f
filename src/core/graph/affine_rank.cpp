#include "graph/affine_rank.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace varylink::graph {
namespace {

// Numbers that AffineBasis takes for 0 are roundings of float terms, amplified a few times: far below this.
constexpr double kZero = 1e-4;
constexpr double kNoPart = 1e-9;

// The time of the elimination grows with the cube of the forms. Devices have 128 components or a few more.
constexpr std::size_t kMostForms = 512;

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

// Additive hash of the factors. A collision only makes the rank estimate too small.
std::uint64_t mark_of(const Monomial& monomial) {
  std::uint64_t mark = monomial.is_rematerializable() ? 0 : mixed((std::uint64_t{monomial.atom} << 32) + 1);
  for (const ValueId uniform : monomial.uniforms) mark += mixed(std::uint64_t{uniform} + 1);
  return mark;
}

// Which rows of a matrix have an entry in which columns.
class Pattern {
 public:
  explicit Pattern(std::size_t rows) : columns_of_(rows), is_left_(rows, true) {}

  // Once for each row and column. `is_sure`: the entry is not 0, rather than not known to be 0.
  void add(std::size_t row, std::size_t column, bool is_sure) {
    if (column >= rows_of_.size()) rows_of_.resize(column + 1);
    columns_of_[row].push_back({column, is_sure});
    rows_of_[column].push_back(row);
  }

  // Takes out rows that are the only ones with an entry in some column, until none is left. By row: false if it is out.
  const std::vector<bool>& peeled() {
    std::vector<std::size_t> count, work;
    for (const auto& rows : rows_of_) {
      count.push_back(rows.size());
      if (rows.size() == 1) work.push_back(count.size() - 1);
    }
    while (!work.empty()) {
      const std::size_t column = work.back();
      work.pop_back();
      const auto row =
          std::find_if(rows_of_[column].begin(), rows_of_[column].end(), [&](std::size_t i) { return is_left_[i]; });
      if (row == rows_of_[column].end() || !is_sure(*row, column)) continue;
      is_left_[*row] = false;
      for (const Entry& entry : columns_of_[*row])
        if (--count[entry.column] == 1) work.push_back(entry.column);
    }
    return is_left_;
  }

  // The rows that are left, those together that have a column in common, directly or by way of others.
  std::vector<std::vector<std::size_t>> parts() const {
    std::vector<std::vector<std::size_t>> parts;
    std::vector<bool> is_seen(is_left_.size(), false);
    for (std::size_t first = 0; first < is_left_.size(); ++first) {
      if (!is_left_[first] || is_seen[first]) continue;
      std::vector<std::size_t>& part = parts.emplace_back(1, first);
      is_seen[first] = true;
      for (std::size_t next = 0; next < part.size(); ++next) add_neighbours(part[next], is_seen, part);
      std::sort(part.begin(), part.end());
    }
    return parts;
  }

 private:
  struct Entry {
    std::size_t column = 0;
    bool is_sure = true;
  };

  bool is_sure(std::size_t row, std::size_t column) const {
    return std::any_of(columns_of_[row].begin(), columns_of_[row].end(),
                       [&](const Entry& entry) { return entry.column == column && entry.is_sure; });
  }

  void add_neighbours(std::size_t row, std::vector<bool>& is_seen, std::vector<std::size_t>& part) const {
    for (const Entry& entry : columns_of_[row])
      for (const std::size_t other : rows_of_[entry.column]) {
        if (!is_left_[other] || is_seen[other]) continue;
        is_seen[other] = true;
        part.push_back(other);
      }
  }

  std::vector<std::vector<Entry>> columns_of_;     // by row
  std::vector<std::vector<std::size_t>> rows_of_;  // by column
  std::vector<bool> is_left_;                      // by row
};

// All products of forms and factors as rows, the monomials in them as columns.
class Multiples {
 public:
  Multiples(std::span<const AffineForm<double>* const> forms, std::span<const Monomial> factors)
      : width_(factors.size() + 1), pattern_(forms.size() * width_) {
    std::vector<std::pair<std::uint64_t, std::size_t>> marks;  // of a monomial, and the multiple that it is in
    for (std::size_t multiple = 0; multiple < forms.size() * width_; ++multiple) {
      const std::uint64_t factor = multiple % width_ == 0 ? 0 : mark_of(factors[multiple % width_ - 1]);
      for (const auto& [monomial, coefficient] : *forms[multiple / width_])
        if (!monomial.is_rematerializable() && coefficient != 0)
          marks.emplace_back(mark_of(monomial) + factor, multiple);
    }
    std::sort(marks.begin(), marks.end());
    marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
    std::size_t column = 0;
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (i != 0 && marks[i].first != marks[i - 1].first) ++column;
      pattern_.add(marks[i].second, column, true);
    }
  }

  // By form: some multiple of it is left.
  std::vector<bool> forms_left() {
    const std::vector<bool>& is_left = pattern_.peeled();
    std::vector<bool> left(is_left.size() / width_, false);
    for (std::size_t i = 0; i < is_left.size(); ++i) left[i / width_] = left[i / width_] || is_left[i];
    return left;
  }

 private:
  std::size_t width_;  // multiples of each form: by nothing, and by each factor
  Pattern pattern_;
};

// The coefficients of a form by atom, with numbers for the uniforms, scaled so that the largest is 1.
using Row = std::map<ValueId, double>;

Row row_of(const AffineForm<double>& form) {
  Row row;
  for (const auto& [monomial, coefficient] : form) {
    if (monomial.is_rematerializable()) continue;
    double value = coefficient;
    for (const ValueId uniform : monomial.uniforms) value *= number_for(uniform);
    row[monomial.atom] += value;
  }
  double largest = 0;
  for (const auto& [atom, value] : row)
    if (!(std::abs(value) <= largest)) largest = std::abs(value);
  if (largest > 0)
    for (auto& [atom, value] : row) value /= largest;
  return row;
}

// Rows beside how each is made of the forms.
class Matrix {
 public:
  explicit Matrix(const std::vector<const Row*>& rows) {
    std::map<ValueId, std::size_t> columns;
    for (const Row* row : rows)
      for (const auto& [atom, value] : *row) columns.emplace(atom, columns.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows_.emplace_back(columns.size(), 0.0);
      made_of_.emplace_back(rows.size(), 0.0);
      for (const auto& [atom, value] : *rows[i]) rows_[i][columns.at(atom)] = value;
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
  return Multiples(forms, factors).forms_left();
}

std::vector<bool> may_depend(std::span<const AffineForm<double>* const> forms) {
  std::vector<Row> rows;
  std::map<ValueId, std::size_t> columns;
  Pattern pattern(forms.size());
  for (std::size_t i = 0; i < forms.size(); ++i) {
    rows.push_back(row_of(*forms[i]));
    for (const auto& [atom, value] : rows.back())
      if (value != 0) pattern.add(i, columns.emplace(atom, columns.size()).first->second, std::abs(value) > kZero);
  }
  pattern.peeled();
  std::vector<bool> depends(forms.size(), false);
  for (const std::vector<std::size_t>& part : pattern.parts()) {
    if (part.size() > kMostForms) continue;
    std::vector<const Row*> rows_of_part;
    for (const std::size_t i : part) rows_of_part.push_back(&rows[i]);
    const std::vector<bool> found = Matrix(rows_of_part).forms_of_zero();
    for (std::size_t i = 0; i < part.size(); ++i) depends[part[i]] = found[i];
  }
  return depends;
}

}  // namespace varylink::graph
