#include "spirv/cleanup/returning_constructs.h"

#include <algorithm>

#include "spirv/ir/code_size.h"

namespace varylink::spirv {

using spv::Op;

ReturningConstructs::ReturningConstructs(const Module& module, const Function& function)
    : module_(module), function_(function), cfg_(module, function) {
  const auto count = static_cast<std::uint32_t>(function.blocks.size());
  end_of_.assign(count, Cfg::kNone);
  around_.assign(count, Cfg::kNone);
  returns_.assign(count, false);
  meets_.assign(count, false);
  for (std::uint32_t block = 0; block < count; ++block)
    if (const InstRef merge = merge_instruction(module, function.blocks[block]); merge && cfg_.reachable(block))
      end_of_[block] = cfg_.block_of(module.operand(merge, 0).word);
  for (const std::uint32_t block : cfg_.dominator_tree()) around_[block] = loop_or_switch_around(block);
  for (std::uint32_t block = 0; block < count; ++block)
    if (is_way_back(block)) note_return(block);
  for (std::uint32_t header = 0; header < count; ++header)
    if (returns_[header] && goes_on(header) && (can_be_left(header) || ways_in(end_of_[header]) > 1))
      meets_[end_of_[header]] = true;
}

bool ReturningConstructs::can_be_left(std::uint32_t header) const {
  const Block& block = function_.blocks[header];
  return is_header(header) && (module_[block.body.back()].op == Op::OpSwitch || loop_merge(module_, block));
}

bool ReturningConstructs::is_way_back(std::uint32_t block) const {
  return cfg_.reachable(block) && is_return(module_[function_.blocks[block].body.back()].op);
}

bool ReturningConstructs::are_understood() const {
  for (std::uint32_t block = 0; block < end_of_.size(); ++block) {
    if (!cfg_.reachable(block) && !is_stub(block)) return false;
    if (meets_[block] && loop_merge(module_, function_.blocks[block])) return false;
  }
  return true;
}

bool ReturningConstructs::is_inside(std::uint32_t block, std::uint32_t header) const {
  const std::uint32_t end = end_of_[header];
  return end != Cfg::kNone && header != block && cfg_.dominates(header, block) &&
         !(cfg_.reachable(end) && cfg_.dominates(end, block));
}

// Once that is known of the blocks above: what is around the block is the header above, or around that.
std::uint32_t ReturningConstructs::loop_or_switch_around(std::uint32_t block) const {
  const std::uint32_t above = cfg_.immediate_dominator(block);
  if (above == Cfg::kNone) return Cfg::kNone;
  std::uint32_t header = can_be_left(above) ? above : around_[above];
  while (header != Cfg::kNone && !is_inside(block, header)) header = around_[header];
  return header;
}

void ReturningConstructs::note_return(std::uint32_t block) {
  while (around_[block] != Cfg::kNone) {
    block = around_[block];
    returns_[block] = true;
  }
  for (std::uint32_t header = cfg_.immediate_dominator(block); header != Cfg::kNone;
       header = cfg_.immediate_dominator(header))
    if (is_inside(block, header)) returns_[header] = true;
}

// Ways back to a loop that begins there do not count.
std::size_t ReturningConstructs::ways_in(std::uint32_t end) const {
  const auto& before = cfg_.predecessors(end);
  return static_cast<std::size_t>(std::count_if(before.begin(), before.end(), [&](std::uint32_t block) {
    return cfg_.reachable(block) && !cfg_.dominates(end, block);
  }));
}

// Where nothing gets to, there is nothing but the end of a construct, or the way back of a loop.
bool ReturningConstructs::is_stub(std::uint32_t block) const {
  const auto& body = function_.blocks[block].body;
  if (code_size(module_, function_.blocks[block]) != 1) return false;
  if (module_[body.back()].op == Op::OpUnreachable)
    return std::find(end_of_.begin(), end_of_.end(), block) != end_of_.end();
  return module_[body.back()].op == Op::OpBranch;
}

}  // namespace varylink::spirv
