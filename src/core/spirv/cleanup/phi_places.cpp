#include "spirv/cleanup/phi_places.h"

#include <algorithm>

namespace varylink::spirv {

PhiPlaces::PhiPlaces(const Cfg& cfg) : cfg_(cfg) {
  const std::size_t count = cfg.block_count();
  is_stored_.assign(count, 0);
  is_live_.assign(count, 0);
  has_phi_.assign(count, 0);
}

// The frontier of a block are those blocks that it does not dominate, but a predecessor of.
void PhiPlaces::find_frontiers() {
  frontiers_.resize(cfg_.block_count());
  for (const std::uint32_t block : cfg_.reverse_post_order()) {
    if (cfg_.predecessors(block).size() < 2) continue;
    for (std::uint32_t before : cfg_.predecessors(block)) {
      if (!cfg_.reachable(before)) continue;
      for (; before != cfg_.immediate_dominator(block); before = cfg_.immediate_dominator(before)) {
        std::vector<std::uint32_t>& frontier = frontiers_[before];
        if (frontier.empty() || frontier.back() != block) frontier.push_back(block);
      }
    }
  }
}

void PhiPlaces::find_live(std::span<const std::uint32_t> stored, std::span<const std::uint32_t> read_first) {
  for (const std::uint32_t block : stored) is_stored_[block] = variable_;
  std::vector<std::uint32_t> work(read_first.begin(), read_first.end());
  for (const std::uint32_t block : work) is_live_[block] = variable_;
  while (!work.empty()) {
    const std::uint32_t block = work.back();
    work.pop_back();
    for (const std::uint32_t before : cfg_.predecessors(block)) {
      if (is_stored_[before] == variable_ || is_live_[before] == variable_) continue;
      is_live_[before] = variable_;
      work.push_back(before);
    }
  }
}

std::vector<std::uint32_t> PhiPlaces::of(std::span<const std::uint32_t> stored,
                                         std::span<const std::uint32_t> read_first) {
  std::vector<std::uint32_t> places;
  if (stored.empty() || read_first.empty()) return places;
  if (frontiers_.empty()) find_frontiers();
  ++variable_;
  find_live(stored, read_first);
  std::vector<std::uint32_t> work(stored.begin(), stored.end());
  while (!work.empty()) {
    const std::uint32_t block = work.back();
    work.pop_back();
    for (const std::uint32_t place : frontiers_[block]) {
      if (is_live_[place] != variable_ || has_phi_[place] == variable_) continue;
      has_phi_[place] = variable_;
      places.push_back(place);
      work.push_back(place);
    }
  }
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace varylink::spirv
