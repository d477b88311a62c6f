#include "prove/terms/term.h"

#include <bit>

#include "prove/terms/interpolation.h"
#include "prove/terms/loop_value.h"
#include "support/catch.h"

namespace varylink::prove {
namespace {

Term varying(Terms& terms, std::uint64_t number, Sort sort = Sort::float32) {
  return terms.symbol(sort, "x", {&number, 1}, false);
}

Term shared(Terms& terms, std::uint64_t number, Sort sort = Sort::float32) {
  return terms.symbol(sort, "u", {&number, 1}, true);
}

TEST_CASE("sums and products have one form", "[prove]") {
  Terms t;
  const Term a = varying(t, 0), b = varying(t, 1), c = varying(t, 2);
  CHECK(t.add(t.add(a, b), c) == t.add(c, t.add(b, a)));
  CHECK(t.subtract(t.add(a, b), b) == a);
  CHECK(t.multiply(a, t.multiply(b, c)) == t.multiply(t.multiply(c, a), b));
  CHECK(t.multiply(t.subtract(a, b), c) == t.negate(t.multiply(t.subtract(b, a), c)));
  CHECK(t.add(a, a) == t.multiply(a, t.real(Sort::float32, 2)));
  CHECK(t.multiply(a, t.add(b, c)) != t.multiply(b, t.add(a, c)));
  CHECK(t.add(a, b) != t.add(a, c));
}

TEST_CASE("a cast of a cast is one cast, however it comes about", "[prove]") {
  Terms t;
  const Term a = varying(t, 0), number = varying(t, 1, Sort::int32);
  CHECK(t.bits_as(Sort::float32, t.bits_as(Sort::int32, a)) == a);
  CHECK(t.bits_as(Sort::int32, t.real(Sort::float32, 1)) == t.integer(0x3f800000));
  const Term cast[] = {t.bits_as(Sort::int32, a)};
  CHECK(t.rebuild(t.bits_as(Sort::float32, number), cast) == a);
  CHECK(t.bits_as(Sort::float32, number) != number);
}

TEST_CASE("parts of a cast are what was cast", "[prove]") {
  Terms t;
  const Term low = varying(t, 0, Sort::float16), high = varying(t, 1, Sort::float16);
  const Term halves[] = {low, high}, four[] = {low, high, high, low};
  const Term joined[] = {t.part_of_bits(Sort::int32, halves, 0)};
  CHECK(t.part_of_bits(Sort::float16, joined, 0) == low);
  CHECK(t.part_of_bits(Sort::float16, joined, 1) == high);
  CHECK(t.part_of_bits(Sort::int16, joined, 1) == t.bits_as(Sort::int16, high));
  CHECK(t.part_of_bits(Sort::int8, joined, 1) != t.part_of_bits(Sort::int8, joined, 2));
  const Term second[] = {t.part_of_bits(Sort::int32, four, 1)};
  CHECK(t.part_of_bits(Sort::float16, second, 0) == high);
  CHECK(t.part_of_bits(Sort::float16, second, 1) == low);
}

TEST_CASE("a condition may be undefined in part", "[prove]") {
  Terms t;
  const Term a = varying(t, 0), b = varying(t, 1), c = varying(t, 2, Sort::boolean);
  const Term partly = t.choose(c, t.boolean(true), t.undefined(Sort::boolean));
  CHECK(t.choose(t.choose(partly, c, t.boolean(false)), a, b) != a);
  const Term chosen = t.choose(partly, a, b);
  CHECK(chosen != a);
  CHECK(t.restrict_to(chosen, c) == a);
  t.set_undefined_is_anything(true);
  CHECK(t.choose(t.choose(c, t.boolean(true), t.undefined(Sort::boolean)), a, b) == a);
  CHECK(t.took_freedom());
}

TEST_CASE("what is undefined equals itself in the original only", "[prove]") {
  Terms t;
  const Term nothing = t.apply(Sort::float32, "glsl.Sin.13", {t.undefined(Sort::float32)});
  CHECK(t.subtract(nothing, nothing) == t.real(Sort::float32, 0));
  t.end_original();
  CHECK(t.is_undefined(t.subtract(nothing, nothing)));
}

TEST_CASE("operations on constants are constants where they are defined", "[prove]") {
  Terms t;
  const auto apply = [&](const char* name, std::initializer_list<Term> operands, Sort sort = Sort::int32) {
    return t.apply(sort, name, operands);
  };
  const Term two = t.integer(2), minus_seven = t.integer(static_cast<std::uint32_t>(-7));
  CHECK(apply("glsl.SClamp.45", {minus_seven, t.integer(0), two}) == t.integer(0));
  CHECK(apply("SMod", {minus_seven, t.integer(3)}) == two);
  CHECK(apply("ShiftRightArithmetic", {minus_seven, t.integer(1)}) == t.integer(static_cast<std::uint32_t>(-4)));
  CHECK_FALSE(t.is_constant(apply("UDiv", {two, t.integer(0)})));
  CHECK_FALSE(t.is_constant(apply("ShiftLeftLogical", {two, t.integer(32)})));
  CHECK_FALSE(t.is_constant(apply("ConvertFToS", {t.real(Sort::float32, 3e9)})));
  CHECK(t.is_true(apply("FOrdLessThan", {t.real(Sort::float32, 1), t.real(Sort::float32, 2)}, Sort::boolean)));

  // One that became a constant later, when an invocation was chosen.
  const Term parts[] = {two, t.integer(3)};
  CHECK(t.is_true(t.rebuild(apply("SLessThan", {varying(t, 0, Sort::int32), t.integer(3)}, Sort::boolean), parts)));
}

TEST_CASE("exact operations on constants are what they round to, unless a device may do otherwise", "[prove]") {
  Terms t;
  const auto real = [&](double value) { return t.real(Sort::float32, value); };
  const auto apply = [&](const char* name, double a, double b) {
    return t.apply(Sort::float32, name, {real(a), real(b)});
  };
  CHECK(apply("FMul!", 0.75, 0.75) == real(0.5625));
  CHECK(apply("FSub!", 0.5, 0.1f) == t.constant(Sort::float32, std::bit_cast<std::uint32_t>(0.5f - 0.1f)));
  CHECK(t.apply(Sort::float32, "FNegate!", {real(0)}) == t.constant(Sort::float32, 0x80000000));
  CHECK_FALSE(t.is_constant(apply("FMul! towards zero", 0.75, 0.75)));
  CHECK_FALSE(t.is_constant(apply("FMul!", 0x1p-100, 0x1p-40)));  // a denormal, which may be flushed
  CHECK_FALSE(t.is_constant(apply("FMul!", 0x1p100, 0x1p100)));   // infinite
  CHECK_FALSE(t.is_constant(apply("FDiv!", 1, 3)));               // 2.5 ulp
}

TEST_CASE("products of sums are multiplied out on request", "[prove]") {
  Terms t;
  const Term a = varying(t, 0), b = varying(t, 1), c = varying(t, 2);
  const Term apart = t.add(t.multiply(a, b), t.multiply(a, c));
  CHECK(t.multiply(a, t.add(b, c)) != apart);
  t.expand_limit = 8;
  CHECK(t.multiply(a, t.add(b, c)) == apart);
}

TEST_CASE("integers wrap in their width", "[prove]") {
  Terms t;
  const Term x = varying(t, 0, Sort::int32);
  CHECK(t.add(t.integer(0xffffffffu), t.integer(1)) == t.integer(0));
  CHECK(t.add(x, t.integer(0xffffffffu)) == t.subtract(x, t.integer(1)));
}

TEST_CASE("choices do not depend on the order in which they were made", "[prove]") {
  Terms t;
  const Term p = varying(t, 0, Sort::boolean), q = varying(t, 1, Sort::boolean);
  const Term a = varying(t, 2), b = varying(t, 3), c = varying(t, 4);
  CHECK(t.choose(p, t.choose(q, a, b), t.choose(q, a, c)) == t.choose(q, a, t.choose(p, b, c)));
  CHECK(t.choose(p, a, a) == a);
  CHECK(t.logical_not(t.logical_not(p)) == p);
  CHECK(t.logical_not(t.logical_and(p, q)) == t.logical_or(t.logical_not(p), t.logical_not(q)));
  CHECK(t.choose(p, a, b) != t.choose(p, b, a));
  CHECK(t.choose(p, a, b) != t.choose(q, a, b));
}

TEST_CASE("a term is restricted to where a condition holds", "[prove]") {
  Terms t;
  const Term p = varying(t, 0, Sort::boolean), q = varying(t, 1, Sort::boolean);
  const Term a = varying(t, 2), b = varying(t, 3);
  CHECK(t.restrict_to(t.choose(p, a, b), p) == a);
  CHECK(t.restrict_to(t.choose(p, a, b), t.logical_not(p)) == b);
  CHECK(t.restrict_to(t.choose(t.logical_and(p, q), a, b), p) == t.choose(q, a, b));
  CHECK(t.restrict_to(t.choose(q, a, b), p) == t.choose(q, a, b));
}

TEST_CASE("an undefined value is anything only where the original has it", "[prove]") {
  Terms t;
  const Term p = varying(t, 0, Sort::boolean), a = varying(t, 1), nothing = t.undefined(Sort::float32);
  CHECK(t.choose(p, a, nothing) != a);
  t.set_undefined_is_anything(true);
  CHECK(t.choose(p, a, nothing) == a);
}

TEST_CASE("interpolation is linear within its class, and only there", "[prove]") {
  Terms t;
  const Term a = varying(t, 0), b = varying(t, 1), u = shared(t, 2);
  Interpolator smooth(t, {"smooth", {}}, Semantics::linear), flat(t, {"flat", {}}, Semantics::linear);
  CHECK(smooth(u) == u);
  CHECK(smooth(t.add(t.multiply(u, a), b)) == t.add(t.multiply(u, smooth(a)), smooth(b)));
  CHECK(smooth(t.multiply(a, b)) != t.multiply(smooth(a), smooth(b)));
  CHECK(flat(t.multiply(a, b)) == t.multiply(flat(a), flat(b)));
  CHECK(smooth(a) != flat(a));
  CHECK(Interpolator(t, {"smooth.centroid", {}}, Semantics::linear)(a) != smooth(a));
}

TEST_CASE("exact semantics keep only what all vertices agree on", "[prove]") {
  Terms t;
  const Term a = varying(t, 0), b = varying(t, 1), u = shared(t, 2);
  Interpolator smooth(t, {"smooth", {}}, Semantics::exact);
  CHECK(smooth(u) == u);
  CHECK(smooth(t.add(a, b)) != t.add(smooth(a), smooth(b)));
}

TEST_CASE("loops with the same recurrences are the same value", "[prove]") {
  Terms t;
  const Term n = shared(t, 0, Sort::int32);
  const auto sum_of = [&](std::uint64_t first_number, bool swapped, std::uint64_t step) {
    const Term i = varying(t, first_number, Sort::int32), s = varying(t, first_number + 1, Sort::int32);
    const LoopVariable count{i, t.integer(0), t.add(i, t.integer(step))}, sum{s, t.integer(5), t.add(s, i)};
    const Term goes_on = t.apply(Sort::boolean, "less", {i, n});
    return LoopValues(t, swapped ? std::vector{sum, count} : std::vector{count, sum}, goes_on)(s);
  };
  CHECK(sum_of(10, false, 1) == sum_of(20, true, 1));
  CHECK(sum_of(10, false, 1) != sum_of(20, false, 2));
  CHECK(t[sum_of(10, false, 1)].convergent);
}

TEST_CASE("a budget ends the work, not the program", "[prove]") {
  Terms t(10);
  Term sum = varying(t, 0);
  for (std::uint64_t i = 1; i < 20; ++i) sum = t.multiply(t.add(sum, varying(t, i)), sum);
  CHECK(t.exhausted());
}

}  // namespace
}  // namespace varylink::prove
