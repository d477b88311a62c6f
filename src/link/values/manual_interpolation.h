// Interpolation that an evaluation shader writes out: in[0].v * c.x + in[1].v * c.y + in[2].v * c.z, c = gl_TessCoord.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "link/model/link.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::link {

// For vertex 0, 1 and 2 the component of TessCoord that it is weighted by: each component once. In the domain of
// triangles the barycentrics sum to one (rule ).
using Barycentrics = std::array<std::uint32_t, 3>;

// The sums of one evaluation shader. A snapshot of its module. Empty for other stages and domains.
class ManualInterpolation {
 public:
  // `candidates`: scalar floats per vertex, by variable.
  ManualInterpolation(const Link& link, const std::map<spirv::Id, varyings::VariableAccesses>& candidates);

  // Candidates of which the shader wants nothing but such sums, all with the same barycentrics, and none for what it
  // stores to a built-in output. By variable.
  const std::map<spirv::Id, Barycentrics>& inputs() const { return inputs_; }

  // The inputs whose sums a result is, component by component; empty if it is something else, or not in all components.
  std::vector<spirv::Id> summed(spirv::Id result) const;

  // The built-in variable; 0 if the shader has none.
  spirv::Id tess_coord() const { return tess_coord_; }

 private:
  class Search;

  spirv::Id tess_coord_ = 0;
  std::map<spirv::Id, Barycentrics> inputs_;
  std::map<spirv::Id, std::vector<spirv::Id>> sums_;  // by result: the inputs of its components
};

}  // namespace varylink::link
