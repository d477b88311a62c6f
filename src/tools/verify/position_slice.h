// Which vertex attributes the clip position depends on, so that the strategies can aim the triangles at the target.
// An over-approximation over data flow; control flow is not followed. A wrong answer costs coverage, never correctness.
#pragma once

#include <set>
#include <vector>

#include "verify/shader.h"

namespace varylink::verify {

struct PositionSources {
  std::set<std::uint32_t> locations;  // of vertex inputs
  bool vertex_index = false;
};

// `stages` in pipeline order. Empty for mesh pipelines.
PositionSources position_sources(const std::vector<Shader>& stages);

// Smallest length among the arrays in local memory that the shader indexes with something that is not a constant;
// all ones if there are none.
std::uint32_t smallest_indexed_array(const Shader& shader);

}  // namespace varylink::verify
