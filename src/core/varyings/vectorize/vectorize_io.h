// The way back from scalarized form: scalars become vector variables at their new places.
//
//   out float n.x, n.y, n.z, fog;          out vec4 n_fog @0
//   store n.x, a; ... store fog, d    ->   store n_fog, vec4(a, b, c, d)
//
// Loads at the entry become one load and extracts, InterpolateAt instructions one each for those of a block that read
// at the same place. Accesses in the middle of the code become one where they reach most of the vector
// (whole_accesses.h), else accesses to single components. Unsplit ones only get their new location, and more components
// where others become part of them; fixed variables are not touched.
#pragma once

#include <map>
#include <vector>

#include "varyings/reflect/interface_variable.h"
#include "varyings/vectorize/packed_variable.h"

namespace varylink::varyings {

struct VectorizeRequest {
  Direction direction = Direction::input;
  const std::vector<Varying>* varyings = nullptr;       // scalarized varyings of this side
  const std::vector<PackedVariable>* packed = nullptr;  // the same list for both sides
  const std::map<Slot, Slot>* placement = nullptr;      // old slot -> new slot, of unsplit ones
  bool interpolates = false;                            // the consumer is a fragment shader
  // Scalarized varyings of the other side, for outputs that interpolate: unsplit ones get its qualifiers (rule ).
  const std::vector<Varying>* readers = nullptr;
};

// Rewrites `module` in place. Scalar variables of this side are gone afterwards.
void vectorize_io(spirv::Module& module, const Entry& entry, const VectorizeRequest& request);

}  // namespace varylink::varyings
