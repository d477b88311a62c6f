// The loops of a function, how they lie in each other, and the size of the function with some of them written out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/ir/cfg.h"
#include "spirv/ir/module.h"

namespace varylink::spirv {

class LoopNest {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  struct Loop {
    Id header = 0;                 // label
    std::uint32_t parent = kNone;  // the loop around it, kNone if there is none
    std::uint32_t rounds =
        0;  // of counted_loop() (spirv/cleanup/counted_loops.h); 0 if it is none, or not to be copied
    std::size_t own_size = 0;  // instructions that are in no loop further inside
  };

  // `module` must outlive this object, and stay as it is meanwhile.
  LoopNest(const Module& module, const Function& function, std::uint32_t max_rounds);

  // Loops are named by their index; those outside come first.
  const std::vector<Loop>& loops() const { return loops_; }
  // The innermost loop around a block; kNone outside of loops.
  std::uint32_t loop_at(std::uint32_t block) const { return innermost_[block]; }

  // The loops that would have to be written out so that the value, which is used in `block`, may be a constant in each
  // copy: those whose phis it depends on. Where memory is between, all loops around that have a known number of rounds;
  // these are wished, not needed. None if the value depends on one that is no constant in any case.
  struct Wanted {
    std::vector<std::uint32_t> loops;  // ascending
    bool all_needed = true;
  };
  std::optional<Wanted> loops_behind(Id value, std::uint32_t block) const;

  // Instructions of the function with these loops (by index) written out; saturates.
  std::size_t size_with(const std::vector<bool>& written_out) const;

 private:
  class Search;

  const Module& module_;
  const Function& function_;
  Cfg cfg_;
  std::vector<Loop> loops_;
  std::vector<std::uint32_t> innermost_;  // by block, kNone outside of loops
  std::vector<std::uint32_t> headed_;     // by block, the loop that it is the header of
  std::vector<std::uint32_t> block_of_;   // by id, the block of results of the function
  std::size_t outside_ = 0;               // instructions in no loop
};

}  // namespace varylink::spirv
