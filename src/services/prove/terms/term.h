// Terms: the values of a pipeline as expressions over its outside inputs. Both pipelines of a proof build their terms
// in one arena, where equal terms have one number, so that comparing values is comparing numbers.
//
// Building a term puts it into normal form. docs/proof.md lists the rules of the normal form; nothing here knows the
// linker.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "prove/terms/hash_tables.h"

namespace varylink::prove {

using Term = std::uint32_t;
constexpr Term kNoTerm = 0xffffffffu;

// The type of a term. Integers carry no sign: the operation says how it reads its operands (SPIR-V 2.16.1).
enum class Sort : std::uint8_t { boolean, int8, int16, int32, int64, float16, float32, float64, handle, memory };
bool is_float(Sort sort);
bool is_int(Sort sort);
unsigned width_of(Sort sort);             // bits; 0 for handles and memory
bool is_normal(Sort sort, double value);  // of a float: a number of the sort that is neither zero nor denormal

enum class Kind : std::uint8_t {
  constant,  // `bits`
  symbol,    // an outside input; `name` and literals tell which
  sum,       // coefficients times products, plus a constant
  product,   // factors with exponents, at least two or one with an exponent over 1
  choice,    // children[0] ? children[1] : children[2]; conditions stand in increasing order from the root
  apply,     // an operation without a normal form of its own: `name`, literals, children
};

// Operations and symbols are named by number so that comparing names is cheap; text() gives the name.
using Name = std::uint32_t;

struct Node {
  Kind kind = Kind::constant;
  Sort sort = Sort::boolean;
  bool convergent = false;     // equal for all vertices of a primitive and all fragments that it covers
  bool commutes = false;       // application: its children stand in increasing order
  bool across = false;         // application: depends on what other invocations have for its operands
  bool elsewhere = false;      // application: children[0] as the invocation has it that the other children choose
  bool has_undefined = false;  // something undefined is part of it
  Name name = 0;
  std::uint64_t bits = 0;       // constant: the value; sum: the constant summand
  std::uint64_t structure = 0;  // hash of the structure, which does not depend on numbers of terms
  std::uint32_t first_child = 0, child_count = 0;
  std::uint32_t first_literal = 0, literal_count = 0;  // 64 bits each
  std::uint32_t loop_height = 0;                       // nesting of closed loops inside (prove/loop_value.h)
};

// Interpolation and loop parameters make terms that only mean something inside of a scope; both are plain symbols and
// applications here.
class Terms {
 public:
  Terms();

  // Work allowed, in steps of building; deterministic. Once exceeded, exhausted() is true and terms are built without
  // normal form, so that proofs fail rather than take for ever.
  explicit Terms(std::uint64_t budget);
  bool exhausted() const { return steps_ > budget_; }
  std::uint64_t steps() const { return steps_; }
  // All terms so far are of the original pipeline. Until it is called no term is said to be.
  void end_original() { original_end_ = static_cast<Term>(nodes_.size()); }
  bool is_of_original(Term term) const { return term < original_end_; }
  bool has_original() const { return original_end_ != 0; }
  // Counts work that creates no term.
  void spend_step() { ++steps_; }
  void spend_steps(std::uint64_t steps) { steps_ += steps; }

  // Products of sums are multiplied out as long as at most this many products come of it; 0: never.
  std::uint32_t expand_limit = 0;
  // Operations on choices become choices between operations, as far as the budget allows.
  bool lift_choices = false;
  // Differences between neighbours under two conditions are two values, though their operands are the same.
  bool quads_by_condition = false;
  // A choice between x and an undefined value is x: undefined values of the original may be anything.
  void set_undefined_is_anything(bool value);
  // A term stands for one of several values that are right: another one shows no difference.
  bool took_freedom() const { return took_freedom_; }

  const Node& operator[](Term term) const { return nodes_[term]; }
  std::span<const Term> children(Term term) const;
  std::span<const std::uint64_t> literals(Term term) const;
  std::size_t size() const { return nodes_.size(); }
  Name name(const std::string& text);
  const std::string& text(Name name) const { return names_[name]; }
  // The application or symbol has that name.
  bool is(Term term, const char* name) const;

  // ---- leaves
  Term constant(Sort sort, std::uint64_t bits);
  Term boolean(bool value) { return constant(Sort::boolean, value ? 1 : 0); }
  Term integer(std::uint64_t value, Sort sort = Sort::int32) { return constant(sort, value); }
  Term real(Sort sort, double value);
  Term symbol(Sort sort, const std::string& name, std::span<const std::uint64_t> literals, bool convergent);
  Term undefined(Sort sort) { return symbol(sort, "undefined", {}, true); }
  bool is_constant(Term term) const { return nodes_[term].kind == Kind::constant; }
  bool is_true(Term term) const { return is_constant(term) && nodes_[term].bits != 0; }
  bool is_false(Term term) const { return is_constant(term) && nodes_[term].bits == 0; }
  bool is_undefined(Term term) const { return nodes_[term].kind == Kind::symbol && nodes_[term].name == undefined_; }
  std::uint64_t bits(Term term) const { return nodes_[term].bits; }
  double real_value(Term constant_term) const;
  std::int64_t signed_value(Term constant_term) const;

  // ---- arithmetic with a normal form: sums of products; integers wrap, reals are exact but for their constants, which
  // are rounded to the width after each operation.
  Term add(Term a, Term b);
  Term subtract(Term a, Term b) { return add(a, negate(b)); }
  Term negate(Term a);
  Term multiply(Term a, Term b);

  // ---- choices
  Term choose(Term condition, Term yes, Term no);
  Term logical_not(Term a) { return choose(a, boolean(false), boolean(true)); }
  Term logical_and(Term a, Term b) { return choose(a, b, boolean(false)); }
  Term logical_or(Term a, Term b) { return choose(a, boolean(true), b); }
  // A term that equals `term` wherever `care` holds, and leaves out the choices that `care` decides.
  Term restrict_to(Term term, Term care);

  // ---- everything else. `commutes`: the order of the children means nothing.
  Term apply(Sort sort, const std::string& name, std::span<const Term> children,
             std::span<const std::uint64_t> literals = {}, bool commutes = false);
  Term apply(Sort sort, const std::string& name, std::initializer_list<Term> children,
             std::initializer_list<std::uint64_t> literals = {}, bool commutes = false);
  // The bits of a scalar as another scalar of the same width. A cast of a cast is one cast.
  Term bits_as(Sort sort, Term from) { return apply(sort, "bits", {from}); }
  // Part `position` of the bits of several scalars in a row, as scalars of `sort`.
  Term part_of_bits(Sort sort, std::span<const Term> from, std::uint64_t position) {
    return apply(sort, "bits of all", from, {&position, 1});
  }
  // As apply, for results that depend on operands of other invocations: derivatives, interpolation.
  Term apply_across(Sort sort, const std::string& name, std::span<const Term> children,
                    std::span<const std::uint64_t> literals = {});
  // `value` in the invocation of its stage that `chosen` selects.
  Term apply_elsewhere(const std::string& name, Term value, Term chosen);
  // As apply, but convergent only if `convergent`. `across`: as apply_across.
  Term apply_varying(Sort sort, const std::string& name, std::span<const Term> children,
                     std::span<const std::uint64_t> literals, bool convergent, bool across = false);

  // The term with other children, in normal form again.
  Term rebuild(Term term, std::span<const Term> children);

  // ---- the summands of a sum, the factors of a product
  struct Summand {
    std::uint64_t coefficient = 0;  // bits of the sort; of reals: those of a double
    Term product = kNoTerm;
  };
  std::vector<Summand> summands(Term term) const;  // of any numeric term, without its constant summand
  std::uint64_t constant_summand(Term term) const;
  struct Factor {
    Term base = kNoTerm;
    std::uint64_t exponent = 1;
  };
  std::vector<Factor> factors(Term product) const;
  Term make_product(Sort sort, std::vector<Factor> factors);
  Term scale(Term term, std::uint64_t coefficient);
  Term make_sum(Sort sort, std::uint64_t constant_part, std::vector<Summand> summands);
  // Coefficient arithmetic in the sort.
  std::uint64_t coefficient_add(Sort sort, std::uint64_t a, std::uint64_t b) const;
  std::uint64_t coefficient_multiply(Sort sort, std::uint64_t a, std::uint64_t b) const;
  std::uint64_t unit(Sort sort) const;

 private:
  Term intern(Node node, std::span<const Term> children, std::span<const std::uint64_t> literals);
  bool agree(std::span<const Term> operands) const;
  bool by_operands(Term term) const;
  std::optional<Term> known_value(const Node& node, std::span<const Term> children,
                                  std::span<const std::uint64_t> literals);
  std::optional<Term> known_part(const Node& node, std::span<const Term> whole,
                                 std::span<const std::uint64_t> position);
  bool same(Term term, const Node& node, std::span<const Term> children, std::span<const std::uint64_t> literals) const;
  std::uint64_t constant_bits(Sort sort, std::uint64_t coefficient) const;
  std::uint64_t coefficient_of(Term constant_term) const;
  bool is_number(Term term) const { return nodes_[term].kind == Kind::constant && is_constant_number(term); }
  bool is_constant_number(Term constant) const;
  Term multiply_plain(Term a, Term b);
  Term multiply_out(Term a, Term b);
  template <typename Build>
  Term over_choices(std::span<const Term> operands, const Build& build);
  Term choose_step(Term condition, Term yes, Term no, std::uint32_t& budget);
  Term restrict_step(Term term, Term care, std::uint32_t& budget);
  Term make_choice(Term variable, Term yes, Term no);
  Term top_variable(Term term) const;
  Term cofactor(Term term, Term variable, bool value);

  std::vector<Node> nodes_;
  std::vector<Term> children_;
  std::vector<std::uint64_t> literals_;
  TermIndex index_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, Name> name_index_;
  TripleMemo choices_, restrictions_;
  Name undefined_ = 0, loop_ = 0, bits_ = 0, bits_of_all_ = 0, raced_ = 0, behind_emit_ = 0;
  bool undefined_is_anything_ = false, took_freedom_ = false;
  std::uint32_t lifts_ = 0;  // operations that became choices so far
  Term original_end_ = 0;
  std::uint64_t steps_ = 0, budget_ = ~std::uint64_t{0};
};

template <typename Build>
Term Terms::over_choices(std::span<const Term> operands, const Build& build) {
  constexpr std::uint32_t kMostLifts = 100000;
  Term variable = kNoTerm;
  if (lift_choices && lifts_ < kMostLifts)
    for (const Term operand : operands)
      if (nodes_[operand].kind == Kind::choice) variable = std::min(variable, top_variable(operand));
  if (variable == kNoTerm) return build(operands);
  ++lifts_;
  const std::vector<Term> whole(operands.begin(), operands.end());
  const auto side = [&](bool value) {
    std::vector<Term> parts = whole;
    for (Term& part : parts)
      if (nodes_[part].kind == Kind::choice) part = cofactor(part, variable, value);
    return over_choices(std::span<const Term>(parts), build);
  };
  const Term yes = side(true);
  return choose(variable, yes, side(false));
}

// The term as text, cut at `depth`: "0.5 * smooth(attribute 1.x) + uniform[0.0+16]".
std::string text_of(const Terms& terms, Term term, unsigned depth = 6);

}  // namespace varylink::prove
