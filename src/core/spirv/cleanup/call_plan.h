// Which calls of a module are written out, and in which order.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

struct CallPlan {
  // Places in Module::functions of all that entry points reach, each behind those that it calls.
  std::vector<std::size_t> order;
  // Calls in these that the body of the function takes the place of. All others stay calls.
  std::set<InstRef> written_out;
  // By place in Module::functions: how many of `written_out` call it.
  std::vector<std::size_t> copies;
  // By place in Module::functions: an entry point, or some call of it stays.
  std::vector<bool> stays;
};

// By the rules of inline_calls() (clean_ups.h).
CallPlan plan_calls(const Module& module);

// The header of a loop, of which all but phis, merge instruction and branch can go to a block of its own that the
// header branches to: that block may end as the header did.
bool may_divide_header(const Module& module, const Block& header);

}  // namespace varylink::spirv
