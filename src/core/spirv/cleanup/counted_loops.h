// Loops whose number of rounds follows from constants.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/ir/cfg.h"
#include "spirv/ir/module.h"

namespace varylink::spirv {

// A structured loop and the blocks inside of it, named as in Cfg.
struct LoopBlocks {
  std::uint32_t header = 0, merge = 0;
  std::vector<std::uint32_t> blocks;  // the header and what it dominates up to the merge block, in ascending order
};

// The loop of this header. None if the block heads no loop, or if nothing leads out of the loop.
std::optional<LoopBlocks> loop_blocks(const Module& module, const Function& function, const Cfg& cfg,
                                      std::uint32_t header);

// A loop that is left at one place, `test`, which every round passes, and is inside of no other construct of the loop.
// Where it goes on is the same each time: the loop could be written out as `rounds` copies of its blocks, of which the
// last has only those in front of the test.
struct CountedLoop : LoopBlocks {
  std::uint32_t latch = 0;             // the one block that branches back to the header
  std::uint32_t test = 0;              // ends in OpBranchConditional
  std::uint32_t way_out = Cfg::kNone;  // a block between the test and the merge block, none if the test branches there
  std::uint32_t stay = 0;              // where the test goes in all rounds but the last
  std::uint32_t rounds = 0;            // how often the test runs, at least 1
};

// None if the loop is not of that form: it is left early or for the next round by `break` or `continue`, has
// conditional branches that no selection is around, or values other than integers decide about its rounds;
// or if it runs more than `max_rounds` rounds.
std::optional<CountedLoop> counted_loop(const Module& module, const Function& function, const Cfg& cfg,
                                        std::uint32_t header, std::uint32_t max_rounds);

}  // namespace varylink::spirv
