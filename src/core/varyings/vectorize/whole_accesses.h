// Which accesses to the scalars of a vector can be one access to the vector, where each access stands where its code
// stood: per-vertex inputs, and outputs that invocations share.
//
//   x[i] = a; y[i] = b;      ->   v[i] = vec2(a, b);        f(x[0]); g(y[0]);   ->   t = v[0]; f(t.x); g(t.y);
#pragma once

#include <cstdint>
#include <vector>

#include "varyings/reflect/interface_variable.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/varying.h"

namespace varylink::varyings {

// A scalar that is a component of the vector, and the accesses to it.
struct PackedMember {
  const Varying* varying = nullptr;
  std::uint32_t index = 0;  // which component
  VariableAccesses accesses;

  bool is_stored() const;
};

struct MemberAccess {
  const PackedMember* member = nullptr;
  const PointerAccess* access = nullptr;
};

// Where instructions stand, by instruction.
struct CodePlaces {
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> block;
  std::vector<std::uint32_t> segment;  // of a block, between points where other code sees the stores
};
CodePlaces number_code(const spirv::Module& module);

// Every access to the members of one vector, in groups that each keep the order of the code. All stores of a group are
// to the same element, none twice to a component, and can all happen where the last one stands (rules ).
// All loads of a group are from the same element of an input in one block, and can all happen where the first one
// stands. An access that fits into no group is a group of its own. The groups point into `members`.
std::vector<std::vector<MemberAccess>> group_accesses(const spirv::Module& module, const CodePlaces& places,
                                                      const std::vector<PackedMember>& members, Direction direction);

// Whether a group of stores is to all members that any code stores. Others have no value that could be lost.
bool stores_all(const std::vector<MemberAccess>& group, const std::vector<PackedMember>& members);

// Whether everything that the code does to the outputs is to store all of them at once: as parts of one vector they
// would be stored as a whole wherever they are.
bool are_stored_as_one(const spirv::Module& module, const CodePlaces& places, const std::vector<PackedMember>& members);

}  // namespace varylink::varyings
