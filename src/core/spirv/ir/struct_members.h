// Structures of variables with other members than they had.
#pragma once

#include <optional>
#include <vector>

#include "spirv/ir/globals.h"

namespace varylink::spirv {

struct StructMember {
  Id type = 0;
  std::optional<std::uint32_t> before;  // its number in the old structure; none: it is new
};
using StructMembers = std::vector<StructMember>;

// Gives a variable a structure with these members, with the names and decorations of those that were there before.
// Chains from the variable, whose first index is a constant, lead to the same members as before; those to members that
// are gone must have gone. Returns the structure, of which new members have no decorations yet.
Id set_members(Module& module, Globals& globals, Id variable, const StructMembers& members);

}  // namespace varylink::spirv
