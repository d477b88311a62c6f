// Sums of products: the normal form of arithmetic (R-11.1, integers ).
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "prove/terms/term.h"
#include "prove/terms/unsupported.h"

namespace varylink::prove {
namespace {

constexpr std::uint64_t kMostExponent = 4096;  // of a factor: rebuilding multiplies as often

double as_real(std::uint64_t bits) { return std::bit_cast<double>(bits); }
std::uint64_t as_bits(double value) { return std::bit_cast<std::uint64_t>(value); }

// What a float has no normal number for stays as it is: only the constants' product is out of its range, not what is
// computed with each of them.
double rounded(Sort sort, double value) {
  if (!std::isfinite(value)) throw Unsupported{"constants that have no finite sum or product"};
  const double narrow = sort == Sort::float32 ? static_cast<double>(static_cast<float>(value)) : value;
  return std::isfinite(narrow) && std::fabs(narrow) >= double{std::numeric_limits<float>::min()} ? narrow : value;
}

std::uint64_t masked(Sort sort, std::uint64_t value) {
  const unsigned width = width_of(sort);
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

// Each value is a product with the coefficient, so that one with something that may be anything may be, too.
bool reaches_all(Sort sort, std::uint64_t coefficient) {
  return is_float(sort) ? as_real(coefficient) != 0 : (coefficient & 1) != 0;
}

double half_value(std::uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = static_cast<double>(bits & 1023) / 1024;
  const double sign = (bits >> 15 & 1) != 0 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  return sign * (exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15));
}

std::uint64_t half_bits(double value) {
  const std::uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7e00;
  value = std::fabs(value);
  if (value >= 65520) return sign | 0x7c00;
  if (value < std::ldexp(1, -14)) return sign | static_cast<std::uint64_t>(std::nearbyint(std::ldexp(value, 24)));
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);  // in [0.5, 1)
  const auto mantissa = static_cast<std::uint64_t>(std::nearbyint(std::ldexp(fraction, 11)));
  return sign | ((static_cast<std::uint64_t>(exponent + 14) << 10) + (mantissa - 1024));
}

}  // namespace

double Terms::real_value(Term constant_term) const {
  const Node& node = nodes_[constant_term];
  if (node.sort == Sort::float64) return as_real(node.bits);
  if (node.sort == Sort::float16) return half_value(node.bits);
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(node.bits)));
}

std::uint64_t Terms::constant_bits(Sort sort, std::uint64_t coefficient) const {
  if (!is_float(sort)) return coefficient;
  const double value = as_real(coefficient);
  if (sort == Sort::float64) return as_bits(value);
  if (sort == Sort::float16) return half_bits(value);
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

std::uint64_t Terms::coefficient_of(Term constant_term) const {
  const Node& node = nodes_[constant_term];
  return is_float(node.sort) ? as_bits(real_value(constant_term)) : node.bits;
}

std::uint64_t Terms::unit(Sort sort) const { return is_float(sort) ? as_bits(1.0) : 1; }

std::uint64_t Terms::coefficient_add(Sort sort, std::uint64_t a, std::uint64_t b) const {
  return is_float(sort) ? as_bits(rounded(sort, as_real(a) + as_real(b)) + 0.0) : masked(sort, a + b);
}

std::uint64_t Terms::coefficient_multiply(Sort sort, std::uint64_t a, std::uint64_t b) const {
  return is_float(sort) ? as_bits(rounded(sort, as_real(a) * as_real(b)) + 0.0) : masked(sort, a * b);
}

// A constant that is not itself where a device flushes denormals is a factor like others.
bool Terms::is_constant_number(Term term) const {
  const Node& node = nodes_[term];
  if (!is_float(node.sort)) return true;
  if (node.sort == Sort::float32) {  // by far the most: zero, or an exponent that is neither the least nor the largest
    const std::uint64_t exponent = node.bits >> 23 & 0xff;
    return (node.bits << 1 & 0xffffffff) == 0 || (exponent != 0 && exponent != 0xff);
  }
  return real_value(term) == 0 || is_normal(node.sort, real_value(term));
}

std::vector<Terms::Summand> Terms::summands(Term term) const {
  const Node& node = nodes_[term];
  if (is_number(term)) return {};
  if (node.kind != Kind::sum) return {{unit(node.sort), term}};
  std::vector<Summand> result;
  const auto products = children(term);
  const auto coefficients = literals(term);
  for (std::size_t i = 0; i < products.size(); ++i) result.push_back({coefficients[i], products[i]});
  return result;
}

std::uint64_t Terms::constant_summand(Term term) const {
  const Node& node = nodes_[term];
  if (node.kind == Kind::sum) return node.bits;
  if (is_number(term)) return coefficient_of(term);
  return 0;  // of reals, the bits of 0.0
}

std::vector<Terms::Factor> Terms::factors(Term product) const {
  if (nodes_[product].kind != Kind::product) return {{product, 1}};
  std::vector<Factor> result;
  const auto bases = children(product);
  const auto exponents = literals(product);
  for (std::size_t i = 0; i < bases.size(); ++i) result.push_back({bases[i], exponents[i]});
  return result;
}

Term Terms::make_product(Sort sort, std::vector<Factor> factors) {
  std::ranges::sort(factors, {}, &Factor::base);
  std::vector<Term> bases;
  std::vector<std::uint64_t> exponents;
  for (const Factor& factor : factors) {
    if (!bases.empty() && bases.back() == factor.base)
      exponents.back() += factor.exponent;
    else {
      bases.push_back(factor.base);
      exponents.push_back(factor.exponent);
    }
  }
  if (bases.size() == 1 && exponents[0] == 1) return bases[0];
  if (std::ranges::any_of(exponents, [](std::uint64_t each) { return each > kMostExponent; }))
    throw Unsupported{"a power that is too high"};
  for (std::size_t i = 0; i < bases.size(); ++i)  // its uses need not agree
    if (exponents[i] > 1 && has_original() && is_undefined(bases[i])) return undefined(sort);
  Node node;
  node.kind = Kind::product;
  node.sort = sort;
  node.convergent = agree(bases);
  return intern(node, bases, exponents);
}

Term Terms::make_sum(Sort sort, std::uint64_t constant_part, std::vector<Summand> summands) {
  std::ranges::sort(summands, {}, &Summand::product);
  std::vector<Term> products;
  std::vector<std::uint64_t> coefficients;
  for (const Summand& summand : summands) {
    if (!products.empty() && products.back() == summand.product)
      coefficients.back() = coefficient_add(sort, coefficients.back(), summand.coefficient);
    else {
      products.push_back(summand.product);
      coefficients.push_back(summand.coefficient);
    }
    if (coefficients.back() == 0) {
      // Two uses of what is undefined need not agree: that is a choice of the original's reader, and none of the linked
      // pipeline's.
      if (has_original() && nodes_[products.back()].has_undefined) return undefined(sort);
      products.pop_back();
      coefficients.pop_back();
    }
  }
  if (products.empty()) return constant(sort, constant_bits(sort, constant_part));
  if (products.size() == 1 && coefficients[0] == unit(sort) && constant_part == 0) return products[0];
  Node node;
  node.kind = Kind::sum;
  node.sort = sort;
  node.bits = constant_part;
  node.convergent = agree(products);
  return intern(node, products, coefficients);
}

Term Terms::add(Term a, Term b) {
  const Sort sort = nodes_[a].sort;
  const Term operands[] = {a, b};
  return over_choices(operands, [&](std::span<const Term> parts) {
    if (is_undefined(parts[0]) || is_undefined(parts[1])) return undefined(sort);
    std::vector<Summand> all = summands(parts[0]);
    for (const Summand& summand : summands(parts[1])) all.push_back(summand);
    return make_sum(sort, coefficient_add(sort, constant_summand(parts[0]), constant_summand(parts[1])),
                    std::move(all));
  });
}

Term Terms::scale(Term term, std::uint64_t coefficient) {
  const Sort sort = nodes_[term].sort;
  if (coefficient == 0) return constant(sort, 0);
  return over_choices(std::span<const Term>(&term, 1), [&](std::span<const Term> parts) {
    if (is_undefined(parts[0]) && reaches_all(sort, coefficient)) return parts[0];
    std::vector<Summand> all = summands(parts[0]);
    for (Summand& summand : all) summand.coefficient = coefficient_multiply(sort, summand.coefficient, coefficient);
    return make_sum(sort, coefficient_multiply(sort, constant_summand(parts[0]), coefficient), std::move(all));
  });
}

Term Terms::negate(Term a) {
  const Sort sort = nodes_[a].sort;
  return scale(a, is_float(sort) ? as_bits(-1.0) : masked(sort, ~std::uint64_t{0}));
}

Term Terms::multiply_out(Term a, Term b) {
  const Sort sort = nodes_[a].sort;
  Term result = constant(sort, 0);
  const auto parts = [&](Term term) {
    std::vector<Term> list;
    for (const Summand& summand : summands(term)) list.push_back(make_sum(sort, 0, {summand}));
    if (constant_summand(term) != 0) list.push_back(constant(sort, constant_bits(sort, constant_summand(term))));
    return list;
  };
  for (const Term left : parts(a))
    for (const Term right : parts(b)) result = add(result, multiply(left, right));
  return result;
}

Term Terms::multiply(Term a, Term b) {
  const Term operands[] = {a, b};
  return over_choices(operands, [&](std::span<const Term> parts) { return multiply_plain(parts[0], parts[1]); });
}

Term Terms::multiply_plain(Term a, Term b) {
  const Sort sort = nodes_[a].sort;
  const std::vector<Summand> left = summands(a), right = summands(b);
  if (left.empty()) return scale(b, constant_summand(a));
  if (right.empty()) return scale(a, constant_summand(b));
  const std::size_t left_parts = left.size() + (constant_summand(a) != 0),
                    right_parts = right.size() + (constant_summand(b) != 0);
  if (left_parts * right_parts > 1 && left_parts * right_parts <= expand_limit && !exhausted())
    return multiply_out(a, b);

  // A sum is one factor of the product; its sign goes to the coefficient, so that (x-y)*z and -((y-x)*z) are one.
  std::uint64_t coefficient = unit(sort);
  std::vector<Factor> all;
  for (Term term : {a, b}) {
    std::vector<Summand> parts = summands(term);
    if (parts.size() == 1 && constant_summand(term) == 0) {
      coefficient = coefficient_multiply(sort, coefficient, parts[0].coefficient);
      for (const Factor& factor : factors(parts[0].product)) all.push_back(factor);
      continue;
    }
    const auto first =
        std::ranges::min_element(parts, {}, [&](const Summand& s) { return nodes_[s.product].structure; });
    const bool negative =
        is_float(sort) ? as_real(first->coefficient) < 0 : (first->coefficient >> (width_of(sort) - 1) & 1) != 0;
    if (negative) {
      term = negate(term);
      coefficient =
          coefficient_multiply(sort, coefficient, is_float(sort) ? as_bits(-1.0) : masked(sort, ~std::uint64_t{0}));
    }
    all.push_back({term, 1});
  }
  const Term product = make_product(sort, std::move(all));
  return make_sum(sort, 0, {{coefficient, product}});
}

}  // namespace varylink::prove
