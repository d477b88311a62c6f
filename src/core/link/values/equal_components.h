// Components of a vector that are one value, since the vector is computed component by component from equal ones.
//
//   %v = OpVectorTimesScalar %v3float %grey %light      ; grey is 0.7, 0.7, 0.7: the components of %v are equal
//
// Within one vector only: equal results of two instructions are one value already (spirv::gvn()).
#pragma once

#include <cstdint>

#include "spirv/ir/module.h"

namespace varylink::link {

// The first component of the vector that is sure to have the same bits as this one; itself if there is no other. Looks
// a few instructions deep (rule ).
std::uint32_t first_equal_component(const spirv::Module& module, spirv::Id vector, std::uint32_t component);

}  // namespace varylink::link
