#include "graph/affine_basis.h"

#include <algorithm>
#include <limits>
#include <random>
#include <set>

#include "support/catch.h"

namespace varylink::graph {
namespace {

using Matrix = std::vector<std::vector<int>>;

Monomial atom(std::size_t number) { return {static_cast<ValueId>(number), {}}; }

template <typename Number>
AffineForm<Number> form_of(const std::vector<int>& row) {
  AffineForm<Number> form;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (row[i] != 0) form.emplace(atom(i), static_cast<Number>(row[i]));
  return form;
}

long determinant(const Matrix& matrix, const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns) {
  if (rows.empty()) return 1;
  const std::vector<std::size_t> below(rows.begin() + 1, rows.end());
  long result = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::vector<std::size_t> others = columns;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    result += (i % 2 == 0 ? 1 : -1) * matrix[rows.front()][columns[i]] * determinant(matrix, below, others);
  }
  return result;
}

std::vector<std::vector<std::size_t>> subsets(std::size_t count, std::size_t size) {
  std::vector<std::vector<std::size_t>> result;
  for (std::uint32_t bits = 0; bits < 1u << count; ++bits) {
    std::vector<std::size_t> subset;
    for (std::size_t i = 0; i < count; ++i)
      if ((bits >> i & 1) != 0) subset.push_back(i);
    if (subset.size() == size) result.push_back(subset);
  }
  return result;
}

// Size of the largest minor that is not zero.
std::size_t rank_of(const Matrix& matrix) {
  const std::size_t rows = matrix.size(), columns = matrix.front().size();
  for (std::size_t size = std::min(rows, columns); size > 0; --size)
    for (const auto& some_rows : subsets(rows, size))
      for (const auto& some_columns : subsets(columns, size))
        if (determinant(matrix, some_rows, some_columns) != 0) return size;
  return 0;
}

Matrix random_matrix(std::mt19937& random) {
  Matrix matrix(1 + random() % 5, std::vector<int>(1 + random() % 4));
  for (auto& row : matrix)
    for (int& entry : row) entry = random() % 3 == 0 ? 0 : static_cast<int>(random() % 9) - 4;
  return matrix;
}

// The rows that are sent if all are tried in their order, and that the sums are what they stand for.
template <typename Number, typename IsSame>
std::vector<std::size_t> sent_rows(const Matrix& matrix, double most_amplification, IsSame is_same) {
  AffineBasis<Number> basis({}, most_amplification);
  std::vector<std::size_t> sent;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    const auto sum = basis.express(form_of<Number>(matrix[i]));
    if (!sum) {
      basis.send(form_of<Number>(matrix[i]));
      sent.push_back(i);
      continue;
    }
    CHECK(sum->rest.empty());
    for (std::size_t column = 0; column < matrix[i].size(); ++column) {
      Number value{};
      for (const auto& term : sum->terms)
        value += term.coefficient * static_cast<Number>(matrix[sent[term.row]][column]);
      CHECK(is_same(value, static_cast<Number>(matrix[i][column])));
    }
  }
  return sent;
}

TEST_CASE("as many forms are sent as the rank of the matrix says", "[affine]") {
  std::mt19937 random(5);
  std::size_t reduced = 0;
  for (int round = 0; round < 3000; ++round) {
    Matrix matrix = random_matrix(random);
    // A form without any unknown stands for nothing that is sent.
    std::erase_if(matrix, [](const auto& row) { return rank_of({row}) == 0; });
    if (matrix.empty()) continue;
    const auto close = [](double a, double b) { return a - b < 1e-4 && b - a < 1e-4; };
    const auto sent = sent_rows<double>(matrix, std::numeric_limits<double>::infinity(), close);
    CHECK(sent.size() == rank_of(matrix));
    reduced += sent.size() < matrix.size();
  }
  CHECK(reduced > 500);
}

TEST_CASE("sums of integers are exact", "[affine]") {
  std::mt19937 random(6);
  std::size_t reduced = 0;
  for (int round = 0; round < 3000; ++round) {
    const Matrix matrix = random_matrix(random);
    const auto sent = sent_rows<std::uint32_t>(matrix, 0, [](std::uint32_t a, std::uint32_t b) { return a == b; });
    CHECK(sent.size() >= rank_of(matrix));
    reduced += sent.size() < matrix.size();
  }
  CHECK(reduced > 500);
}

TEST_CASE("even integers do not divide", "[affine]") {
  AffineBasis<std::uint32_t> basis({});
  basis.send({{atom(0), 2}});
  CHECK_FALSE(basis.express({{atom(0), 1}}));
  basis.send({{atom(0), 5}});
  const auto sum = basis.express({{atom(0), 1}});
  REQUIRE(sum);
  REQUIRE(sum->terms.size() == 1);
  CHECK(sum->terms.front().row == 1);
  CHECK(sum->terms.front().coefficient * 5 == 1);
}

TEST_CASE("constants and uniforms are added by the consumer", "[affine]") {
  const Monomial one, uniform{kNoValue, {9}};
  AffineBasis<double> basis({});
  basis.send({{atom(0), 2}, {one, 1}});
  const auto sum = basis.express({{atom(0), 1}, {one, 1}, {uniform, 3}});
  REQUIRE(sum);
  REQUIRE(sum->terms.size() == 1);
  CHECK(sum->terms.front().coefficient == 0.5);
  CHECK(sum->rest == AffineForm<double>{{one, 0.5}, {uniform, 3}});
}

TEST_CASE("uniforms multiply and do not divide", "[affine]") {
  const Monomial uniform{kNoValue, {9}};
  const AffineForm<double> plain = {{atom(0), 1}, {atom(1), 1}};
  const AffineForm<double> scaled = {{atom(0) * uniform, 2}, {atom(1) * uniform, 2}};
  AffineBasis<double> with_plain({uniform}), with_scaled({uniform});
  with_plain.send(plain);
  with_scaled.send(scaled);
  const auto sum = with_plain.express(scaled);
  REQUIRE(sum);
  CHECK(sum->terms.front().factor == uniform);
  CHECK(sum->terms.front().coefficient == 2);
  CHECK_FALSE(with_scaled.express(plain));
}

TEST_CASE("a small difference is not taken of large forms", "[affine]") {
  const AffineForm<double> difference = {{atom(1), 1}, {atom(2), -1}};
  const AffineForm<double> a = {{atom(0), 4096}, {atom(1), 1}}, b = {{atom(0), 4096}, {atom(2), 1}};
  AffineBasis<double> large({}), small({});
  large.send(a);
  large.send(b);
  CHECK_FALSE(large.express(difference));
  small.send(a);
  small.send(difference);
  CHECK(small.express(b));
}

TEST_CASE("a small coefficient is no rounding error", "[affine]") {
  AffineBasis<double> basis({});
  basis.send({{atom(0), 1}});
  CHECK_FALSE(basis.express({{atom(0), 1}, {atom(1), 1e-12}}));
}

}  // namespace
}  // namespace varylink::graph
