// Values that a consumer reads of a producer's outputs: the value between two stages as a term over the producer's
// values.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "prove/terms/semantics.h"
#include "prove/terms/term.h"

namespace varylink::prove {

// An interpolation class: "flat", "smooth", "noperspective.centroid", ..., with the offset or sample of
// interpolateAt* as parameters; "vertex": those of one vertex of a patch or primitive, its number as parameter.
struct Interpolation {
  std::string name;
  std::vector<Term> parameters;
};

// Values of one component at the vertices that a geometry stage emits: one value for each EmitVertex that runs, in
// order. All of them are values of the one invocation that makes the primitive.
Term emitted(Terms& terms, const std::vector<Term>& values);

// Maps values of the producer's invocations to the value that one invocation of the consumer gets. One object per
// class.
class Interpolator {
 public:
  Interpolator(Terms& terms, Interpolation interpolation, Semantics semantics)
      : terms_(terms), interpolation_(std::move(interpolation)), semantics_(semantics) {}
  Term operator()(Term value);

 private:
  Term flat(Term value);
  Term flat_emitted(Term value);
  Term interpolated_emitted(Term value);
  bool is_partly_undefined(std::span<const Term> values) const;
  Term interpolated(Term value);
  Term interpolated_product(Term product);
  std::optional<Term> interpolated_choice(Term value);
  Term as_atom(Term value);

  Terms& terms_;
  Interpolation interpolation_;
  Semantics semantics_;
  std::unordered_map<Term, Term> known_;
  unsigned depth_ = 0;
};

}  // namespace varylink::prove
