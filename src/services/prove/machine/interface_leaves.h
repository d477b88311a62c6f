// The scalars of an input or output variable, as the interface between stages sees them: where each one is, and how it
// crosses. Decorations of a variable count for all of it, those of a member for all of the member, in whatever arrays
// and structures these stand.
#pragma once

#include <string>
#include <vector>

#include "prove/machine/execution.h"

namespace varylink::prove {

// By the qualifiers of the input: "smooth", "noperspective.centroid", "flat", "patch", "primitive".
struct InterfaceLeaf {
  Place place;
  std::string interpolation;
  bool per_sample = false;  // Sample, which counts for the whole stage also where nothing is interpolated
};

// `type`: that of one vertex, where the variable is an array over vertices. Throws Unsupported.
std::vector<InterfaceLeaf> interface_leaves(const Facts& facts, Id variable, Id type);

// The decoration of the variable, or of its block and first member, which all of the block agree on.
const std::uint32_t* decoration_of_block(const Facts& facts, Id variable, Id type, spv::Decoration what);

}  // namespace varylink::prove
