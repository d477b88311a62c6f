// How a stage would run on the abstract GPU of a cost profile: its operations list-scheduled one after the other.
//
// Rules: every block counts once, whichever way branches go and however often a loop runs. In a block the operation
// with the longest path of dependent operations below it goes first; one whose operands are not there yet has to wait;
// where more scalars are alive than the profile has registers for, operations that free some go first. Blocks follow
// each other in the order of the module.
#pragma once

#include <cstdint>

#include "analysis/cost_profile.h"
#include "analysis/operation_graph.h"
#include "analysis/stage_work.h"

namespace varylink::analysis {

struct StageCost {
  std::uint32_t instructions = 0;   // scalar operations
  std::uint32_t slots = 0;          // length of the schedule, empty delay slots too
  std::uint32_t critical_path = 0;  // slots along the longest chain of dependent operations: a machine of any width
  std::uint32_t peak_live = 0;      // most 32-bit scalars that are alive at a time
  OperationCounts operations;       // after what compilers fold (analysis/stage_work.h)
  double work = 0;                  // cost of `operations`
  friend bool operator==(const StageCost&, const StageCost&) = default;
};

StageCost schedule(const OperationGraph& graph, const CostProfile& profile);

}  // namespace varylink::analysis
