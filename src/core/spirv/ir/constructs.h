// Which selections and loops a block is in (SPIR-V, "Structured Control Flow").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/ir/cfg.h"
#include "spirv/ir/module.h"

namespace varylink::spirv {

// The constructs of one function. A snapshot.
class Constructs {
 public:
  Constructs(const Module& module, const Function& function, const Cfg& cfg);

  // Header of the innermost construct that the block is inside of, Cfg::kNone if there is none, and for blocks that
  // nothing reaches. A header is not inside of its own construct, a merge block not inside of the construct it ends.
  std::uint32_t around(std::uint32_t block) const { return header_of_[block]; }

 private:
  std::vector<std::uint32_t> header_of_;  // by block
};

// Where a branch on a constant goes; 0 for other branches and ends of blocks. Specialization constants decide nothing.
Id decided_target(const Module& module, const Block& block);

// The label that an OpSwitch goes to if its selector has these words.
Id switch_target(const Module& module, InstRef branch, std::span<const Operand> selector);

}  // namespace varylink::spirv
