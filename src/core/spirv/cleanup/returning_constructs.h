// The selections, loops and switches that a function returns from, for merge_returns().
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/ir/cfg.h"
#include "spirv/ir/module.h"

namespace varylink::spirv {

// As the function was. Blocks are named by their index into Function::blocks; answers look into the function, which may
// get other blocks behind these.
class ReturningConstructs {
 public:
  ReturningConstructs(const Module& module, const Function& function);

  const Cfg& cfg() const { return cfg_; }
  bool is_header(std::uint32_t block) const { return end_of_[block] != Cfg::kNone; }
  // The block that the construct of a header ends at, and whether anything gets there.
  std::uint32_t end_of(std::uint32_t header) const { return end_of_[header]; }
  bool goes_on(std::uint32_t header) const { return is_header(header) && cfg_.reachable(end_of_[header]); }
  // A loop or switch, whose end may be branched to from anywhere within.
  bool can_be_left(std::uint32_t header) const;
  // The header of the innermost loop or switch that a block is inside of; kNone if there is none.
  std::uint32_t around(std::uint32_t block) const { return around_[block]; }

  // Ends in a return.
  bool is_way_back(std::uint32_t block) const;
  // The function returns from within. False for selections inside of loops and switches, which end as they did: a
  // return leaves the loop or switch.
  bool returns(std::uint32_t header) const { return returns_[header]; }
  // Paths that returned get to this end of a construct, and so do paths that did not.
  bool meets(std::uint32_t end) const { return meets_[end]; }

  // False where merging returns would take other edits than merge_returns() makes.
  bool are_understood() const;

 private:
  bool is_inside(std::uint32_t block, std::uint32_t header) const;
  std::uint32_t loop_or_switch_around(std::uint32_t block) const;
  void note_return(std::uint32_t block);
  std::size_t ways_in(std::uint32_t end) const;
  bool is_stub(std::uint32_t block) const;

  const Module& module_;
  const Function& function_;
  Cfg cfg_;
  std::vector<std::uint32_t> end_of_, around_;  // by block
  std::vector<bool> returns_, meets_;           // by block
};

}  // namespace varylink::spirv
