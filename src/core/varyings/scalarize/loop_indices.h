// Indices that count the rounds of a loop that is still a loop: the reason why it was not unrolled (rule ), for
// reports.
#pragma once

#include <string>

#include "spirv/ir/module.h"

namespace varylink::varyings {

// ", in a loop that is left early" or the like; empty if the index is made of no counter of a loop.
std::string loop_of_index(const spirv::Module& module, spirv::Id index);

}  // namespace varylink::varyings
