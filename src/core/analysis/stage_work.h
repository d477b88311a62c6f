// Work of a stage's operations on the GPU of a cost profile, waiting left out: the number that says whether linking
// made a stage costlier.
//
// Beside what the schedule leaves out already, compilers fuse a multiplication with the addition that alone uses it,
// and many compute uniform operations once for a draw or a group of lanes (CostProfile::uniform_share). Varyings cost
// by component and by location.
#pragma once

#include <array>
#include <cstdint>

#include "analysis/cost_profile.h"
#include "analysis/operation_graph.h"

namespace varylink::analysis {

struct OperationCounts {
  // By class: operations, and those of them that are uniform.
  std::array<std::uint32_t, kOpClassCount> all = {}, uniform = {};
  friend bool operator==(const OperationCounts&, const OperationCounts&) = default;
};

OperationCounts count_operations(const OperationGraph& graph);

// Issue slots of all of them.
double work_of(const OperationCounts& counts, const CostProfile& profile);

}  // namespace varylink::analysis
