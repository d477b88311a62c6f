// Which functions of a module can be inlined, and in which order.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

struct CallPlan {
  // Places in Module::functions of all that entry points reach, each behind those that it calls.
  std::vector<std::size_t> order;
  // By place in Module::functions: calls of it in those functions.
  std::vector<std::size_t> calls;
  // By place in Module::functions: an entry point.
  std::vector<bool> is_entry;
};

// None if some call cannot be inlined as inline_calls() (inline_calls.h) says.
std::optional<CallPlan> plan_calls(const Module& module);

}  // namespace varylink::spirv
