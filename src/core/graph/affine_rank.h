// Which of several affine forms may depend on the others at all: a quick look before AffineBasis searches for how.
#pragma once

#include <span>
#include <vector>

#include "graph/affine_form.h"

namespace varylink::graph {

// By form: false if no combination of the forms, with coefficients that the consumer can compute, that is 0 or close to
// it for each atom, has this form in it. Such a form is computed from no others, and no other from it. True may be
// wrong.
//
// Looks at the forms with numbers in place of the uniforms: a dependence for all uniforms is one for these. False for
// sets of more than 512 forms connected by their atoms, which are not searched.
std::vector<bool> may_depend(std::span<const AffineForm<double>* const> forms);

// By form: false if none of its multiples can be part of a combination of the forms and their multiples by `factors`
// that is another form, since some product of an atom and uniforms in it would be left over: it is in no other
// multiple. True may be wrong.
std::vector<bool> may_cancel(std::span<const AffineForm<double>* const> forms, std::span<const Monomial> factors);

}  // namespace varylink::graph
