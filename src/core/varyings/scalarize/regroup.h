// Arrays of structures as one array for each member.
//
//   out struct { vec4 a; vec4 b; } s[2];  @0          out vec4 s.a[2] @0; out vec4 s.b[2] @2;
//   s[1].a = ...; s[i].b = ...;                  ->   s.a[1] = ...;       s.b[i] = ...;
//
// A member that is only reached with constants can then be scalarized, though another one is indexed dynamically.
#pragma once

#include <cstdint>
#include <map>

#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

// One side of an interface, rewritten in place.
struct RegroupSide {
  spirv::Module* module = nullptr;
  Entry* entry = nullptr;
};

// Location now -> location as declared, for every location whose content has moved. All stay below the highest location
// of the variable that they come from.
using MovedLocations = std::map<std::uint32_t, std::uint32_t>;

// Regroups variables that both sides declare alike, where the code of one side reaches a structure through a dynamic
// index. Variables that transform feedback captures, or that are invariant, initialized or interpolated by an
// instruction stay.
// Without `may_nest` so do those that would give arrays of arrays, which ESSL 3.00, GLSL 3.30 and Metal do not take.
MovedLocations regroup_arrays(const RegroupSide& producer, const RegroupSide& consumer, bool may_nest);

}  // namespace varylink::varyings
