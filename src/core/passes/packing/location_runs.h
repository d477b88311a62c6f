// Runs of consecutive locations for varyings that cannot be scalarized, around varyings that may not move.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

namespace varylink::passes {

// Locations [first, first + count).
struct LocationRun {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// Where each run of `lengths` starts, so that these runs and `singles` further single locations, all outside of
// `taken`, end as low as possible. Exact up to a bounded effort (kMaxSteps), which interfaces of real size never reach;
// beyond it longest run first. Runs stand in front of the singles of the same gap. The result has the order of
// `lengths`; `taken` may overlap and have any order.
std::vector<std::uint32_t> place_runs(const std::vector<std::uint32_t>& lengths, std::uint32_t singles,
                                      const std::vector<LocationRun>& taken);

// The lowest location that is free while more and more are taken.
class LowestFree {
 public:
  void take(const LocationRun& run) { taken_.push(run); }
  std::uint32_t location();

 private:
  struct IsHigher {
    bool operator()(const LocationRun& a, const LocationRun& b) const { return a.first > b.first; }
  };
  std::priority_queue<LocationRun, std::vector<LocationRun>, IsHigher> taken_;  // that may lie above `lowest_`
  std::uint64_t lowest_ = 0;
};

}  // namespace varylink::passes
