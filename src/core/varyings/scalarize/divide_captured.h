// Captured vectors as one variable for each run of components:
//
//   layout(xfb_offset = 0) out vec4 a;   ->   layout(component = 0, xfb_offset = 0) out float a_x;
//                                             layout(component = 1, xfb_offset = 4) out vec3 a_yzw;
//
// Transform feedback sees the same bytes (rule ), and what the next stage reads can be placed without the rest.
#pragma once

#include <cstdint>
#include <vector>

#include "varyings/reflect/interface_variable.h"
#include "varyings/scalarize/varying.h"

namespace varylink::varyings {

// Neighbouring components of a vector.
struct ComponentRun {
  std::uint32_t first = 0, count = 1;
  std::uint32_t end() const { return first + count; }
  bool has(std::uint32_t component) const { return component >= first && component < end(); }
};

// The output is a captured vector of which the code stores the whole, or components that constants choose.
bool may_be_divided(const spirv::Module& module, const Entry& entry, const Varying& output);

// Declares the runs, which have each component once, in the place of the output, and stores to them where the code
// stored to it. Returns their varyings, in order.
std::vector<Varying> divide_captured(spirv::Module& module, Entry& entry, const Varying& output,
                                     const std::vector<ComponentRun>& runs);

}  // namespace varylink::varyings
