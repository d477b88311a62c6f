#include "fuzz/expressions.h"

#include <algorithm>
#include <utility>

namespace varylink::fuzz {
namespace {

// A prefix of "xyzw" or a random choice of components.
std::string swizzle(Random& random, int from_rows, int rows) {
  std::string text = ".";
  const int rotation = random.chance(0.6) ? 0 : static_cast<int>(random.below(static_cast<std::uint32_t>(from_rows)));
  for (int i = 0; i < rows; ++i) text += "xyzw"[(i + rotation) % from_rows];
  return text;
}

std::string float_text(Random& random) {
  static const std::vector<std::string> values = {"0.5",  "-0.5", "0.25",   "-0.75", "1.0",    "2.0",
                                                  "0.3",  "-0.7", "0.1",    "1.5",   "-1.0",   "0.625",
                                                  "-0.2", "0.9",  "0.0625", "0.0",   "-0.375", "0.8"};
  return random.pick(values);
}

std::string special_float_text(Random& random) {
  static const std::vector<std::string> values = {"-0.0", "1.0e-20", "-3.0e-6", "1.9999999", "-0.0"};
  return random.pick(values);
}

std::string int_text(Random& random) {
  static const std::vector<std::string> values = {"0", "1", "-1", "2", "7", "-5", "100", "65535", "-2147483647", "3"};
  return random.pick(values);
}

std::string uint_text(Random& random) {
  static const std::vector<std::string> values = {"0u", "1u", "2u", "7u", "255u", "65536u", "4294967295u", "31u"};
  return random.pick(values);
}

std::string scalar_text(Random& random, Base base) {
  switch (base) {
    case Base::float32: return float_text(random);
    case Base::float64: return float_text(random) + "lf";
    case Base::float16: return float_text(random) + "hf";
    case Base::sint32: return int_text(random);
    case Base::uint32: return uint_text(random);
    case Base::boolean: return random.chance(0.5) ? "true" : "false";
  }
  return "0.5";
}

}  // namespace

Expr node(Type type, std::string pattern, std::vector<Expr> args, double bound) {
  Expr expr;
  expr.type = std::move(type);
  expr.pattern = std::move(pattern);
  expr.args = std::move(args);
  expr.bound = bound;
  return expr;
}

Expr Expressions::make(const Type& type, int depth) {
  if (type.is_array() || type.is_struct()) {
    Expr expr = node(type, full_name(type) + "(", {}, kMaxBound);
    const std::size_t count = type.is_array() ? static_cast<std::size_t>(type.dims[0]) : type.structure->members.size();
    for (std::size_t i = 0; i < count && i < 10; ++i) {
      expr.args.push_back(make(type.is_array() ? element_type(type) : type.structure->members[i].type, depth - 1));
      expr.pattern += (i ? ", $" : "$") + std::to_string(i);
    }
    expr.pattern += ")";
    return expr;
  }
  if (type.is_matrix()) return make_matrix(type, depth);
  return make_simple(type, depth);
}

Expr Expressions::make_uniform(const Type& type, int depth) {
  const bool before = std::exchange(uniform_only_, true);
  Expr expr = make(type, depth);
  uniform_only_ = before;
  return expr;
}

Expr Expressions::make_constant(const Type& type) {
  if (!type.is_simple()) return leaf(type, literal(type));
  const bool special = !exact_ && type.base == Base::float32 && features_.roll(random_, "special-constant");
  std::string text = special ? special_float_text(random_) : scalar_text(random_, type.base);
  if (type.rows == 1) return leaf(type, text, 2.0);
  if (!random_.chance(0.5)) {
    for (int i = 1; i < type.rows; ++i) text += ", " + scalar_text(random_, type.base);
  }
  return leaf(type, glsl_name(type) + "(" + text + ")", 2.0);
}

std::vector<const Symbol*> Expressions::candidates(const Type& type) const {
  std::vector<const Symbol*> found;
  for (const Symbol& symbol : scope) {
    if (uniform_only_ && !symbol.uniform) continue;
    const bool wider =
        type.is_simple() && symbol.type.is_simple() && symbol.type.base == type.base && symbol.type.rows >= type.rows;
    if (symbol.type == type || wider) found.push_back(&symbol);
  }
  return found;
}

bool Expressions::read_symbol(const Type& type, Expr& result) {
  const std::vector<const Symbol*> found = candidates(type);
  if (found.empty()) return false;
  const Symbol& symbol = *random_.pick(found);
  const bool whole = symbol.type == type && (type.rows == 1 || !type.is_simple() || random_.chance(0.7));
  const std::string text = whole ? symbol.text : symbol.text + swizzle(random_, symbol.type.rows, type.rows);
  result = leaf(type, text, symbol.bound);
  return true;
}

Expr Expressions::make_simple(const Type& type, int depth) {
  if (type.base == Base::boolean) return condition(depth);
  Expr read;
  if ((depth <= 0 || random_.chance(0.25)) && read_symbol(type, read)) return read;
  if (depth <= 0) return make_constant(type);
  if (!is_32_bit(type)) return make_of_width(type, depth);
  if (features_.roll(random_, "bit-cast")) return make_bit_cast(type, depth);
  if (features_.roll(random_, "narrow")) return tame(make_narrow(type, depth));
  if (features_.roll(random_, "wide")) return tame(make_wide(type, depth));
  if (type.base == Base::float32 && features_.roll(random_, "product")) return tame(make_product(type, depth));
  return tame(type.is_integer() ? make_integer(type, depth) : make_float(type, depth));
}

Expr Expressions::tame(Expr value) {
  if (value.type.base != Base::float32 || !value.type.is_simple() || value.bound <= kMaxBound) return value;
  const double bound = value.bound;
  if (bound <= kMaxBound * 16) return node(value.type, "($0 * 0.0625)", {std::move(value)}, bound / 16);
  const Type type = value.type;
  return node(type, "clamp($0, -2.0, 2.0)", {std::move(value)}, 2.0);
}

Expr Expressions::make_float(const Type& type, int depth) {
  const double choice = random_.unit();
  if (choice < 0.12 && type.rows > 1) return make_vector_from_parts(type, depth);
  if (choice < 0.20) return float_from_integer(type, depth);
  if (choice < 0.45 && features_.roll(random_, "nonlinear")) return make_nonlinear(type, depth);
  Expr a = make(type, depth - 1);
  if (choice < 0.55) {
    const double bound = a.bound;
    return node(type, random_.chance(0.5) ? "(-($0))" : "($0 * 2.0)", {std::move(a)}, bound * 2);
  }
  if (choice < 0.68) {
    Expr factor = make_constant(simple_type(Base::float32, 1));
    factor.pattern = float_text(random_);
    const double bound = a.bound * 2;
    return node(type, "($0 * $1)", {std::move(a), std::move(factor)}, bound);
  }
  Expr b = make(type, depth - 1);
  const double sum = a.bound + b.bound;
  const double product = a.bound * b.bound;
  if (choice < 0.85)
    return node(type, random_.chance(0.6) ? "($0 + $1)" : "($0 - $1)", {std::move(a), std::move(b)}, sum);
  return node(type, "($0 * $1)", {std::move(a), std::move(b)}, product);
}

Expr Expressions::make_nonlinear(const Type& type, int depth) {
  Expr a = make(type, depth - 1);
  const double bound = a.bound;
  switch (random_.below(9)) {
    case 0: return node(type, "abs($0)", {std::move(a)}, bound);
    case 1: return node(type, "($0 * $0)", {std::move(a)}, bound * bound);
    case 2: return node(type, "clamp($0, -1.0, 1.0)", {std::move(a)}, 1.0);
    case 3:
      // A driver folds functions of constants by other means than it computes them by.
      if (exact_) return node(type, "(0.75 - $0)", {std::move(a)}, bound + 1);
      return node(type, "sin($0)", {std::move(a)}, 1.0);
    case 4: return node(type, "(1.0 / (1.5 + abs($0)))", {std::move(a)}, 1.0);
    case 5: return node(type, "sqrt(abs($0) + 0.5)", {std::move(a)}, bound + 1);
    case 6: {
      Expr b = make(type, depth - 1);
      const double larger = std::max(bound, b.bound);
      return node(type, random_.chance(0.5) ? "max($0, $1)" : "min($0, $1)", {std::move(a), std::move(b)}, larger);
    }
    case 7: {
      Expr b = make(type, depth - 1);
      const double sum = bound + b.bound;
      return node(type, "mix($0, $1, 0.3)", {std::move(a), std::move(b)}, sum);
    }
    default: {
      if (type.rows > 1 && exact_) return node(type, "($0 * 0.25)", {std::move(a)}, bound);
      if (type.rows > 1) return node(type, "normalize($0 + " + glsl_name(type) + "(9.5))", {std::move(a)}, 1.0);
      Expr left = make(simple_type(Base::float32, 3), depth - 1);
      Expr right = make(simple_type(Base::float32, 3), depth - 1);
      const double product = 3 * left.bound * right.bound;
      return node(type, "dot($0, $1)", {std::move(left), std::move(right)}, product);
    }
  }
}

Expr Expressions::float_from_integer(const Type& type, int depth) {
  const Base base = random_.chance(0.5) ? Base::sint32 : Base::uint32;
  Expr number = make(simple_type(base, type.rows), depth - 1);
  const std::string mask = base == Base::sint32 ? "15" : "15u";
  return node(type, "(" + glsl_name(type) + "($0 & " + mask + ") * 0.125)", {std::move(number)}, 2.0);
}

Expr Expressions::make_vector_from_parts(const Type& type, int depth) {
  Expr expr = node(type, glsl_name(type) + "(", {}, 0.0);
  for (int left = type.rows; left > 0;) {
    const int rows = left == type.rows ? random_.range(1, type.rows - 1) : random_.range(1, left);
    const bool constant = features_.roll(random_, "component-constant");
    const Type part = simple_type(type.base, rows);
    Expr value = constant ? make_constant(part) : make(part, depth - 1);
    expr.bound = std::max(expr.bound, value.bound);
    expr.pattern += (expr.args.empty() ? "$" : ", $") + std::to_string(expr.args.size());
    expr.args.push_back(std::move(value));
    left -= rows;
  }
  expr.pattern += ")";
  return expr;
}

Expr Expressions::make_integer(const Type& type, int depth) {
  const bool is_signed = type.base == Base::sint32;
  const double choice = random_.unit();
  if (choice < 0.15 && type.rows > 1) return make_vector_from_parts(type, depth);
  if (choice < 0.25) {
    Expr other = make(simple_type(is_signed ? Base::uint32 : Base::sint32, type.rows), depth - 1);
    return node(type, glsl_name(type) + "($0)", {std::move(other)}, 1.0);
  }
  Expr a = make(type, depth - 1);
  if (choice < 0.35) return node(type, random_.chance(0.5) ? "(~$0)" : "(-($0))", {std::move(a)}, 1.0);
  if (choice < 0.45) return node(type, is_signed ? "($0 >> 3)" : "($0 << 2u)", {std::move(a)}, 1.0);
  // The divisor is never 0, and never -1: division that overflows is undefined.
  if (choice < 0.5) return node(type, is_signed ? "(($0 & 1023) / 7)" : "($0 % 13u)", {std::move(a)}, 1.0);
  Expr b = make(type, depth - 1);
  static const std::vector<std::string> patterns = {"($0 + $1)", "($0 - $1)", "($0 * $1)",   "($0 & $1)",
                                                    "($0 | $1)", "($0 ^ $1)", "min($0, $1)", "max($0, $1)"};
  return node(type, random_.pick(patterns), {std::move(a), std::move(b)}, 1.0);
}

Expr Expressions::make_of_width(const Type& type, int depth) {
  const bool is_half = type.base == Base::float16;
  if (random_.chance(is_half ? 0.6 : 0.5)) {
    Expr other = make(simple_type(Base::float32, type.rows), depth - 1);
    // glslang makes an operation of constants of it that SPIR-V does not have for halves.
    if (is_half && (mentions(other, "kSpecInt") || mentions(other, "kSpecFloat"))) return make_constant(type);
    return node(type, glsl_name(type) + "($0)", {std::move(other)}, kMaxBound);
  }
  Expr a = make(type, 0);
  Expr b = make(type, 0);
  const std::string scaled = "($0 * " + literal(simple_type(type.base, 1)) + " - $1)";
  return node(type, random_.chance(0.5) ? "($0 + $1)" : scaled, {std::move(a), std::move(b)}, kMaxBound);
}

Expr Expressions::make_matrix(const Type& type, int depth) {
  Expr read;
  if (random_.chance(0.4) && read_symbol(type, read)) return read;
  Expr expr = node(type, glsl_name(type) + "(", {}, 0.0);
  for (int column = 0; column < type.columns; ++column) {
    expr.args.push_back(make(simple_type(type.base, type.rows), depth - 1));
    expr.bound = std::max(expr.bound, expr.args.back().bound);
    expr.pattern += (column ? ", $" : "$") + std::to_string(column);
  }
  expr.pattern += ")";
  return expr;
}

// Of one matrix or two and a vector, or a column of a product of two.
Expr Expressions::make_product(const Type& type, int depth) {
  static const std::vector<std::string> patterns = {"($0 * $2)",           "($2 * $0)",
                                                    "($0 * ($1 * $2))",    "(($0 * $1) * $2)",
                                                    "($2 * ($0 * $1))",    "(transpose($0) * $2)",
                                                    "(($0 * $1)[1] - $2)", "(outerProduct($2, $0[0]) * $0[1])"};
  const int size = random_.range(std::max(2, type.rows), 4);
  const Type vector = simple_type(Base::float32, size);
  Type matrix = vector;
  matrix.columns = size;
  std::vector<Expr> args;
  for (int i = 0; i < 2; ++i) {
    // Mostly what a shader multiplies by: the same for all vertices.
    const bool before = std::exchange(uniform_only_, uniform_only_ || random_.chance(0.7));
    args.push_back(make_matrix(matrix, 1));
    uniform_only_ = before;
  }
  args.push_back(make(vector, depth - 1));
  // What a driver makes of cross() has no decoration to be exact by.
  const bool is_cross = size == 3 && !exact_ && random_.chance(0.3);
  const std::string pattern = is_cross ? "cross($2, $0[1])" : random_.pick(patterns);
  const double size_of_one = size * args[0].bound, size_of_other = size * std::max(args[1].bound, args[0].bound);
  const double bound = size_of_one * size_of_other * args[2].bound;
  return reshape(tame(node(vector, pattern, std::move(args), bound)), type.rows);
}

Expr Expressions::condition(int depth) {
  const Type boolean = simple_type(Base::boolean, 1);
  if (depth > 1 && random_.chance(0.2)) {
    return node(boolean, random_.chance(0.5) ? "($0 && $1)" : "($0 || $1)",
                {condition(depth - 1), condition(depth - 1)}, 1);
  }
  const Base base = random_.chance(0.5) ? Base::sint32 : Base::uint32;
  Expr number = make(simple_type(base, 1), std::min(depth, 1));
  if (base == Base::uint32) return node(boolean, "(($0 & 3u) != 1u)", {std::move(number)}, 1);
  return node(boolean, random_.chance(0.5) ? "(($0 & 3) < 2)" : "($0 > 2)", {std::move(number)}, 1);
}

Expr Expressions::make_linear(int rows, int depth) {
  const Type type = simple_type(Base::float32, rows);
  Expr read;
  if (depth <= 0) return read_symbol(type, read) ? read : make_constant(type);
  Expr a = make_linear(rows, depth - 1);
  const double bound = a.bound;
  switch (random_.below(5)) {
    case 0: return node(type, "(-($0))", {std::move(a)}, bound);
    case 1: return tame(node(type, "($0 * " + float_text(random_) + ")", {std::move(a)}, bound * 2));
    case 2: return tame(node(type, "($0 + " + float_text(random_) + ")", {std::move(a)}, bound + 2));
    case 3: {
      Expr factor = make_uniform(simple_type(Base::float32, 1), 0);
      const double product = bound * factor.bound;
      return tame(node(type, "($0 * $1)", {std::move(a), std::move(factor)}, product));
    }
    default: {
      Expr b = make_linear(rows, depth - 1);
      const double sum = bound + b.bound;
      return tame(node(type, random_.chance(0.5) ? "($0 + $1)" : "($0 - $1)", {std::move(a), std::move(b)}, sum));
    }
  }
}

Expr Expressions::index_below(int count) {
  const Type type = simple_type(Base::sint32, 1);
  const bool is_visible = std::any_of(scope.begin(), scope.end(), [&](const Symbol& s) { return s.text == turned; });
  // As it is, so that all ways to it count.
  if (is_visible && random_.chance(0.4))
    return node(type, "(uint($0) < " + std::to_string(count) + "u ? $1 : 0)", {leaf(type, turned), leaf(type, turned)},
                1);
  Expr number = is_visible && random_.chance(0.3) ? leaf(type, turned) : make(type, 1);
  if ((count & (count - 1)) == 0) return node(type, "($0 & " + std::to_string(count - 1) + ")", {std::move(number)}, 1);
  return node(type, "(($0 & 255) % " + std::to_string(count) + ")", {std::move(number)}, 1);
}

Expr Expressions::reshape(const Expr& value, int rows) {
  const Type type = simple_type(value.type.base, rows);
  if (value.type.rows == rows) return value;
  if (value.type.rows == 1) return node(type, glsl_name(type) + "($0)", {value}, value.bound);
  return node(type, "$0" + swizzle(random_, value.type.rows, rows), {value}, value.bound);
}

Expr Expressions::convert(const Expr& value, Base base) {
  if (value.type.base == base) return value;
  const Type type = simple_type(base, value.type.rows);
  const std::string name = glsl_name(type);
  if (base != Base::float32) return node(type, name + "($0)", {value}, 1.0);
  switch (value.type.base) {
    case Base::sint32: return node(type, "(" + name + "($0 & 255) * 0.0078125)", {value}, 2.0);
    case Base::uint32: return node(type, "(" + name + "($0 & 255u) * 0.0078125)", {value}, 2.0);
    default: return node(type, name + "($0)", {value}, value.bound);
  }
}

Expr Expressions::to_floats(const Expr& value, int rows) {
  if (value.type.is_matrix()) {
    const Type column = simple_type(value.type.base, value.type.rows);
    const std::string last = std::to_string(value.type.columns - 1);
    Expr sum = node(column, "($0[0] + $0[" + last + "])", {value}, value.bound * 2);
    return to_floats(sum, rows);
  }
  return reshape(convert(value, Base::float32), rows);
}

}  // namespace varylink::fuzz
