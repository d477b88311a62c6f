// Random GLSL expressions over the names in scope.
//
// Values stay finite, normal and moderate (`Expr::bound` is kept below kMaxBound), and functions that magnify small
// differences are avoided: two pictures of equal pipelines must not drift apart through arithmetic.
#pragma once

#include <string>
#include <vector>

#include "fuzz/feature_weights.h"
#include "fuzz/model.h"
#include "fuzz/random.h"

namespace varylink::fuzz {

constexpr double kMaxBound = 8.0;

// A readable name.
struct Symbol {
  std::string text;  // "r3", "ubo.a", "gl_InstanceIndex"
  Type type;
  double bound = 1.0;
  bool uniform = false;  // same value everywhere in a draw call
};

class Expressions {
 public:
  Expressions(Random& random, Features& features, bool exact) : random_(random), features_(features), exact_(exact) {}

  std::vector<Symbol> scope;
  std::string turned;  // an integer of the scope that one switch after another has set

  // An expression of a scalar, vector, matrix, array or struct type.
  Expr make(const Type& type, int depth);
  // The same, made of uniforms and constants only.
  Expr make_uniform(const Type& type, int depth);
  Expr make_constant(const Type& type);
  // A boolean expression.
  Expr condition(int depth);
  // A linear expression of interpolated operands: sums, negation, multiplication by constants and uniforms.
  Expr make_linear(int rows, int depth);
  // An integer expression whose value is in [0, count).
  Expr index_below(int count);

  // Converts any simple or matrix expression to a vector of `rows` floats, moderate in size.
  Expr to_floats(const Expr& value, int rows);
  // Component-wise conversion to another scalar kind with the same number of rows; integers only from integers.
  Expr convert(const Expr& value, Base base);
  // Limits the bound.
  Expr tame(Expr value);
  // A vector or scalar with `rows` rows made of the components of `value` (simple type, same base).
  Expr reshape(const Expr& value, int rows);

 private:
  Random& random_;
  Features& features_;
  bool exact_;
  bool uniform_only_ = false;

  Expr make_simple(const Type& type, int depth);
  Expr make_float(const Type& type, int depth);
  Expr make_nonlinear(const Type& type, int depth);
  Expr make_integer(const Type& type, int depth);
  Expr make_of_width(const Type& type, int depth);  // of doubles and halves
  Expr make_bit_cast(const Type& type, int depth);
  Expr make_narrow(const Type& type, int depth);
  Expr make_wide(const Type& type, int depth);
  Expr make_matrix(const Type& type, int depth);
  Expr make_product(const Type& type, int depth);
  Expr make_vector_from_parts(const Type& type, int depth);
  Expr float_from_integer(const Type& type, int depth);
  bool read_symbol(const Type& type, Expr& result);
  std::vector<const Symbol*> candidates(const Type& type) const;
};

// A node with arguments; its bound is given by the caller.
Expr node(Type type, std::string pattern, std::vector<Expr> args, double bound);

}  // namespace varylink::fuzz
