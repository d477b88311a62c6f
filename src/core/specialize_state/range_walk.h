// Operations of a stage that the ranges of its inputs decide.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "specialize_state/number_range.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::specialize_state {

// The range of a component of an input, for all invocations; none if nothing is known of it.
using InputRange = std::function<std::optional<Range>(const varyings::Leaf& leaf, std::uint32_t component)>;

struct FoundRanges {
  std::map<varyings::Slot, Range> outputs;  // of those whose every store is known
  std::uint64_t decided_by = 0;             // Range::from of the ranges that took something out
};

// Follows the ranges through the code of the entry point, whose locals are values by now, and takes out comparisons,
// minima, clamps, absolute values and masks that they decide. Values that a built-in output depends on keep their
// arithmetic (rule ); their conditions are decided.
FoundRanges walk_ranges(spirv::Module& module, const varyings::Entry& entry, const InputRange& input_range);

}  // namespace varylink::specialize_state
