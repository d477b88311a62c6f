#include "spirv/ir/branch_regions.h"

#include <algorithm>

namespace varylink::spirv {

// Dominators of the graph that leads from the end of the function backwards (Cooper, Harvey, Kennedy, "A Simple, Fast
// Dominance Algorithm").
BranchRegions::BranchRegions(const Cfg& cfg) : cfg_(cfg) {
  const auto end = static_cast<std::uint32_t>(cfg.block_count());
  order_.assign(end + 1, Cfg::kNone);
  post_dominator_.assign(end + 1, Cfg::kNone);
  std::vector<std::uint32_t> exits;
  for (const std::uint32_t block : cfg.reverse_post_order())
    if (cfg.successors(block).empty()) exits.push_back(block);
  const auto before = [&](std::uint32_t block) -> const std::vector<std::uint32_t>& {
    return block == end ? exits : cfg_.predecessors(block);
  };
  std::vector<std::uint32_t> post_order;
  std::vector<bool> seen(end + 1, false);
  std::vector<std::pair<std::uint32_t, std::size_t>> open = {{end, 0}};
  seen[end] = true;
  while (!open.empty()) {
    auto& [block, next] = open.back();
    if (next == before(block).size()) {
      order_[block] = static_cast<std::uint32_t>(post_order.size());
      post_order.push_back(block);
      open.pop_back();
      continue;
    }
    const std::uint32_t predecessor = before(block)[next++];
    if (seen[predecessor] || !cfg.reachable(predecessor)) continue;
    seen[predecessor] = true;
    open.emplace_back(predecessor, 0);
  }
  post_dominator_[end] = end;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto block = post_order.rbegin() + 1; block != post_order.rend(); ++block) {
      std::uint32_t found = cfg.successors(*block).empty() ? end : Cfg::kNone;
      for (const std::uint32_t successor : cfg.successors(*block))
        if (post_dominator_[successor] != Cfg::kNone)
          found = found == Cfg::kNone ? successor : common_post_dominator(found, successor);
      changed = changed || post_dominator_[*block] != found;
      post_dominator_[*block] = found;
    }
  }
}

std::uint32_t BranchRegions::common_post_dominator(std::uint32_t a, std::uint32_t b) const {
  while (a != b) {
    std::uint32_t& lower = order_[a] < order_[b] ? a : b;
    lower = post_dominator_[lower];
  }
  return a;
}

std::vector<std::uint32_t> BranchRegions::of(std::uint32_t block) const {
  const std::uint32_t meeting = post_dominator_[block];
  std::vector<bool> seen(cfg_.block_count(), false);
  std::vector<std::uint32_t> region;
  std::vector<std::uint32_t> open = {block};
  while (!open.empty()) {
    const std::uint32_t last = open.back();
    open.pop_back();
    for (const std::uint32_t successor : cfg_.successors(last)) {
      if (seen[successor]) continue;
      seen[successor] = true;
      region.push_back(successor);
      if (successor != meeting) open.push_back(successor);
    }
  }
  return region;
}

}  // namespace varylink::spirv
