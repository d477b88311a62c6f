// Built-ins as varyings: between two stages of which neither feeds the rasterizer, Position, PointSize and the
// distances are plain data (rules ). Here they become variables with locations of their own, behind those
// of the varyings, so that everything that is done with varyings is done with them, and built-ins again.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "varyings/reflect/built_ins.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/proxy.h"

namespace varylink::varyings {

// One load or store of a built-in.
struct BuiltInUse {
  BuiltIn built_in;
  PointerAccess::Kind kind = PointerAccess::Kind::load;
  spirv::InstRef inst;
  std::vector<spirv::Id> vertex;           // index of the vertex, if the built-in is an array of these
  std::vector<spirv::Id> inside;           // indices behind it
  std::optional<std::uint32_t> component;  // that it reaches; none: all of them
};

// Loads and stores of one stage's plain built-ins of one direction.
struct BuiltInUses {
  std::vector<BuiltIn> declared;
  std::vector<BuiltInUse> uses;
};

// Follows the indices of an access to a variable with these built-ins; false if they do not lead to one of them, or to
// an element of an array at a constant index. `arrayed`: the first index is that of a vertex.
bool follow_built_in(const spirv::Module& module, const std::vector<BuiltIn>& members, const PointerAccess& access,
                     bool arrayed, BuiltInUse& use);

// None if they cannot become varyings: a use is not understood or reaches more than one of them, an index into an array
// of distances is not constant, a variable holds something else as well, or has decorations (Invariant, Offset) or an
// initializer.
std::optional<BuiltInUses> plain_built_in_uses(const spirv::Module& module, const Entry& entry, Direction direction);

// Gives the built-ins of one side their locations. The variables that held them leave the module.
void replace_built_ins(spirv::Module& module, Entry& entry, Direction direction, const BuiltInUses& uses,
                       const std::vector<Proxy>& proxies);

// Makes the varyings in these locations proxies of built-ins variables and takes them out of the list.
void restore_built_ins(spirv::Module& module, Entry& entry, Direction direction, const std::vector<Proxy>& proxies,
                       std::vector<Varying>& varyings);

}  // namespace varylink::varyings
