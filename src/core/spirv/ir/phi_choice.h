// Phis that an if/else decides.
#pragma once

#include <optional>

#include "spirv/ir/cfg.h"
#include "spirv/ir/module.h"

namespace varylink::spirv {

// The phi is `if_true` where the condition holds, else `if_false`.
struct PhiChoice {
  Id condition = 0;
  Id if_true = 0, if_false = 0;
};

// None for phis of loops and of blocks that are reached in other ways than from the two sides of one conditional
// branch, the last one that every way to the block takes. `block`: index of the block that the phi stands in.
std::optional<PhiChoice> choice_of(const Module& module, const Function& function, const Cfg& cfg, std::uint32_t block,
                                   InstRef phi);

}  // namespace varylink::spirv
