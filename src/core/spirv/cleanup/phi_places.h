// Where a variable needs phis to become a value: Cytron, Ferrante, Rosen, Wegman, Zadeck, "Efficiently Computing Static
// Single Assignment Form and the Control Dependence Graph" (1991), with phis only where the variable is read
// afterwards.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/ir/cfg.h"

namespace varylink::spirv {

// Works on one function, for one variable after the other. Blocks are named as in Cfg, which must outlive this object.
class PhiPlaces {
 public:
  explicit PhiPlaces(const Cfg& cfg);

  // The blocks that need a phi, in ascending order. `stored`: reachable blocks that store to the variable;
  // `read_first`: reachable blocks that read it before they store to it. Each block at most once in each list.
  std::vector<std::uint32_t> of(std::span<const std::uint32_t> stored, std::span<const std::uint32_t> read_first);

 private:
  void find_frontiers();
  void find_live(std::span<const std::uint32_t> stored, std::span<const std::uint32_t> read_first);

  const Cfg& cfg_;
  std::vector<std::vector<std::uint32_t>> frontiers_;  // by block, once some variable needs them
  // By block, the number of the variable that it was last marked for.
  std::vector<std::uint32_t> is_stored_, is_live_, has_phi_;
  std::uint32_t variable_ = 0;
};

}  // namespace varylink::spirv
