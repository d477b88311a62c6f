#include <bit>
#include <cstdio>

#include "prove/terms/term.h"

namespace varylink::prove {
namespace {

std::string real_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string constant_text(const Terms& terms, Term term) {
  const Node& node = terms[term];
  if (node.sort == Sort::boolean) return node.bits != 0 ? "true" : "false";
  if (is_float(node.sort)) return real_text(terms.real_value(term));
  return std::to_string(terms.signed_value(term));
}

std::string coefficient_text(Sort sort, std::uint64_t bits) {
  if (is_float(sort)) return real_text(std::bit_cast<double>(bits));
  const unsigned shift = 64 - width_of(sort);
  return std::to_string(static_cast<std::int64_t>(bits << shift) >> shift);
}

class Printer {
 public:
  explicit Printer(const Terms& terms) : terms_(terms) {}

  std::string text(Term term, unsigned depth) const {
    const Node& node = terms_[term];
    if (node.kind == Kind::constant) return constant_text(terms_, term);
    if (depth == 0) return "…";
    switch (node.kind) {
      case Kind::sum: return sum(term, depth);
      case Kind::product: return product(term, depth);
      case Kind::choice: {
        const auto parts = terms_.children(term);
        return "(" + text(parts[0], depth - 1) + " ? " + text(parts[1], depth - 1) + " : " + text(parts[2], depth - 1) +
               ")";
      }
      default: return operation(term, depth);
    }
  }

 private:
  std::string operation(Term term, unsigned depth) const {
    std::string result = terms_.text(terms_[term].name);
    std::string inside;
    const auto add = [&](const std::string& part) { inside += (inside.empty() ? "" : ", ") + part; };
    for (const Term part : terms_.children(term)) {
      if (inside.size() > 400) {
        add("…");
        break;
      }
      add(text(part, depth - 1));
    }
    for (const std::uint64_t literal : terms_.literals(term))
      if (literal < 0x100000000ull) result += " " + std::to_string(literal);
    return inside.empty() ? result : result + "(" + inside + ")";
  }

  std::string product(Term term, unsigned depth) const {
    std::string result;
    for (const Terms::Factor& factor : terms_.factors(term)) {
      if (!result.empty()) result += " * ";
      const bool is_sum = terms_[factor.base].kind == Kind::sum;
      result += is_sum ? "(" + text(factor.base, depth - 1) + ")" : text(factor.base, depth - 1);
      if (factor.exponent > 1) result += "^" + std::to_string(factor.exponent);
    }
    return result;
  }

  std::string sum(Term term, unsigned depth) const {
    const Node& node = terms_[term];
    std::string result;
    for (const Terms::Summand& summand : terms_.summands(term)) {
      if (!result.empty()) result += " + ";
      if (summand.coefficient != terms_.unit(node.sort))
        result += coefficient_text(node.sort, summand.coefficient) + " * ";
      result += text(summand.product, depth - 1);
      if (result.size() > 600) return result + " + …";
    }
    return node.bits != 0 ? result + " + " + coefficient_text(node.sort, node.bits) : result;
  }

  const Terms& terms_;
};

}  // namespace

std::string text_of(const Terms& terms, Term term, unsigned depth) { return Printer(terms).text(term, depth); }

}  // namespace varylink::prove
