// Interpolation that an evaluation shader writes out, c = gl_TessCoord:
//   in[0].v * c.x + in[1].v * c.y + in[2].v * c.z              over a triangle
//   mix(mix(in[0].v, in[1].v, c.x), mix(in[3].v, in[2].v, c.x), c.y)      over a quad
#pragma once

#include <array>
#include <map>
#include <vector>

#include "link/model/link.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::link {

// How the vertices of a patch are weighted. All weights of a way sum to one (rule ).
struct VertexWeights {
  // Over a triangle: for vertex 0, 1 and 2 the component of TessCoord that it is weighted by, each component once.
  // By corners: the vertex that has all the weight where the first two components are (0, 0), (1, 0), (0, 1) and
  // (1, 1); in between weights are linear in each of the two, in any domain. Along a line vertices repeat.
  bool by_corners = false;
  std::array<std::uint32_t, 4> of = {};
  friend bool operator==(const VertexWeights&, const VertexWeights&) = default;

  bool depend_on_x() const { return of[0] != of[1] || of[2] != of[3]; }
  bool depend_on_y() const { return of[0] != of[2] || of[1] != of[3]; }
};

// The sums of one evaluation shader. A snapshot of its module. Empty for other stages.
class ManualInterpolation {
 public:
  // `candidates`: scalar floats per vertex, by variable.
  ManualInterpolation(const Link& link, const std::map<spirv::Id, varyings::VariableAccesses>& candidates);

  // Candidates of which the shader wants nothing but such sums, all with the same weights, and none for what it
  // stores to a built-in output. By variable.
  const std::map<spirv::Id, VertexWeights>& inputs() const { return inputs_; }

  // The inputs whose sums a result is, component by component; empty if it is something else, or not in all components.
  std::vector<spirv::Id> summed(spirv::Id result) const;

  // The built-in variable; 0 if the shader has none.
  spirv::Id tess_coord() const { return tess_coord_; }

 private:
  class Search;

  spirv::Id tess_coord_ = 0;
  std::map<spirv::Id, VertexWeights> inputs_;
  std::map<spirv::Id, std::vector<spirv::Id>> sums_;  // by result: the inputs of its components
};

}  // namespace varylink::link
