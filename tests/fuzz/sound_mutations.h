// Mutations of SPIR-V modules that leave most of them valid, so that they reach the linker and not only the checks in
// front of it: other literals, other operands of the same type, other operations of the same signature, decorations,
// copies, and another order.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fuzz/random.h"

namespace varylink::fuzz {

// Changes one thing; says which kind of change it was, empty if the module has nothing to change in that way, or is
// none.
std::string_view mutate_soundly(std::vector<std::uint32_t>& words, Random& random);

}  // namespace varylink::fuzz
