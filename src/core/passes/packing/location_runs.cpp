#include "passes/packing/location_runs.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

namespace varylink::passes {
namespace {

constexpr std::uint64_t kMaxSteps = 20000;
// How far above the lower bound the search goes before it takes the longest run first.
constexpr std::uint64_t kMaxRise = 64;
constexpr std::uint64_t kEndless = std::uint64_t{1} << 62;

struct Gap {
  std::uint64_t first = 0;
  std::uint64_t size = 0;
};

// Free locations from 0 up; the last gap is endless.
std::vector<Gap> gaps_around(std::vector<LocationRun> taken) {
  std::sort(taken.begin(), taken.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Gap> gaps;
  std::uint64_t next = 0;
  for (const LocationRun& run : taken) {
    if (run.first > next) gaps.push_back({next, run.first - next});
    next = std::max<std::uint64_t>(next, std::uint64_t{run.first} + run.count);
  }
  gaps.push_back({next, kEndless});
  return gaps;
}

// The gaps below location `end`.
std::vector<Gap> below(const std::vector<Gap>& gaps, std::uint64_t end) {
  std::vector<Gap> cut;
  for (const Gap& gap : gaps)
    if (gap.first < end) cut.push_back({gap.first, std::min(gap.size, end - gap.first)});
  return cut;
}

// The lowest end with so many free locations below it.
std::uint64_t lowest_end(const std::vector<Gap>& gaps, std::uint64_t locations) {
  if (locations == 0) return 0;
  for (const Gap& gap : gaps) {
    if (locations <= gap.size) return gap.first + locations;
    locations -= gap.size;
  }
  return kEndless;
}

// Bin packing with the gaps as bins, by depth-first search over the runs, longest first.
class Search {
 public:
  Search(const std::vector<std::uint32_t>& lengths, const std::vector<std::size_t>& order, std::uint64_t& steps)
      : lengths_(lengths), order_(order), steps_(steps), starts_(lengths.size()) {}

  std::optional<std::vector<std::uint32_t>> run(std::vector<Gap> gaps) {
    gaps_ = std::move(gaps);
    return place(0) ? std::optional(starts_) : std::nullopt;
  }

 private:
  bool place(std::size_t rank) {
    if (rank == order_.size()) return true;
    const std::uint32_t length = lengths_[order_[rank]];
    for (std::size_t i = 0; i < gaps_.size(); ++i) {
      if (steps_ == 0) return false;
      --steps_;
      Gap& gap = gaps_[i];
      // Of gaps with the same room the first one stands for all.
      const bool same = std::any_of(gaps_.begin(), gaps_.begin() + static_cast<std::ptrdiff_t>(i),
                                    [&](const Gap& other) { return other.size == gap.size; });
      if (gap.size < length || same) continue;
      starts_[order_[rank]] = static_cast<std::uint32_t>(gap.first);
      gap = {gap.first + length, gap.size - length};
      if (place(rank + 1)) return true;
      gaps_[i] = {gaps_[i].first - length, gaps_[i].size + length};
    }
    return false;
  }

  const std::vector<std::uint32_t>& lengths_;
  const std::vector<std::size_t>& order_;
  std::uint64_t& steps_;
  std::vector<Gap> gaps_;
  std::vector<std::uint32_t> starts_;
};

}  // namespace

std::vector<std::uint32_t> place_runs(const std::vector<std::uint32_t>& lengths, std::uint32_t singles,
                                      const std::vector<LocationRun>& taken) {
  std::vector<std::size_t> order(lengths.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return lengths[a] > lengths[b]; });
  const std::vector<Gap> gaps = gaps_around(taken);
  const std::uint64_t total = std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{singles});
  const std::uint64_t lowest = lowest_end(gaps, total);
  std::uint64_t steps = kMaxSteps;
  for (std::uint64_t end = lowest; end <= lowest + kMaxRise && steps != 0; ++end)
    if (auto starts = Search(lengths, order, steps).run(below(gaps, end))) return *starts;
  // Into the endless gap everything fits, so that this search never has to go back.
  steps = std::numeric_limits<std::uint64_t>::max();
  return *Search(lengths, order, steps).run(gaps);
}

std::uint32_t LowestFree::location() {
  for (; !taken_.empty() && taken_.top().first <= lowest_; taken_.pop())
    lowest_ = std::max(lowest_, std::uint64_t{taken_.top().first} + taken_.top().count);
  return static_cast<std::uint32_t>(lowest_);
}

}  // namespace varylink::passes
