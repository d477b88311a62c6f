// The region of a branch: the blocks between it and the place where all ways from it meet again.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/ir/cfg.h"

namespace varylink::spirv {

// Of one function. A snapshot.
class BranchRegions {
 public:
  explicit BranchRegions(const Cfg& cfg);

  // Blocks that can be reached from the end of `block` before its immediate post-dominator, and that itself; all that
  // can be reached if it has none, because a way from it ends or never does. Where runs take different ways at the end
  // of `block`, they may come to these by different edges, and different numbers of times.
  std::vector<std::uint32_t> of(std::uint32_t block) const;

 private:
  std::uint32_t common_post_dominator(std::uint32_t a, std::uint32_t b) const;

  const Cfg& cfg_;
  // By block, the end of the function being the last one.
  std::vector<std::uint32_t> order_, post_dominator_;
};

}  // namespace varylink::spirv
