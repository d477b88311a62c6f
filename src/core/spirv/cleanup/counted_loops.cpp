#include "spirv/cleanup/counted_loops.h"

#include <algorithm>
#include <map>

#include "spirv/cleanup/number_operations.h"

namespace varylink::spirv {
namespace {

using spv::Op;

// Runs what decides about the rounds of a loop: the condition, the phis of the header that it depends on, and what
// stands between them.
class Simulation {
 public:
  Simulation(const Module& module, const Block& header, Id latch_label)
      : module_(module), header_(header), latch_label_(latch_label) {}

  // How often `condition` is computed until it is `leaves_where`; none if that is not known, or more often than
  // `limit`.
  std::optional<std::uint32_t> rounds(Id condition, bool leaves_where, std::uint32_t limit) {
    std::uint32_t at = 0;
    if (!reach(condition, at)) return std::nullopt;
    for (std::size_t i = 0; i < phis_.size(); ++i)  // grows while it is walked
      if (std::uint32_t next = 0; reach(phis_[i].next, next))
        phis_[i].next_node = next;
      else
        return std::nullopt;
    for (const Phi& phi : phis_) nodes_[phi.node].bits = phi.start;
    for (std::uint32_t round = 1; round <= limit; ++round) {
      if (!compute()) return std::nullopt;
      if ((nodes_[at].bits != 0) == leaves_where) return round;
      std::vector<Bits> next;
      for (const Phi& phi : phis_) next.push_back(nodes_[phi.next_node].bits);
      for (std::size_t i = 0; i < phis_.size(); ++i) nodes_[phis_[i].node].bits = next[i];
    }
    return std::nullopt;
  }

 private:
  // Counters and conditions are small; this keeps the walk short on other code.
  static constexpr std::size_t kMaxNodes = 64;

  struct Node {
    NumberType type;
    InstRef inst;  // none for constants and phis, whose bits are there
    std::vector<std::uint32_t> operands;
    Bits bits = 0;
  };
  struct Phi {
    std::uint32_t node = 0;
    Bits start = 0;
    Id next = 0;
    std::uint32_t next_node = 0;
  };

  // The type of an integer or boolean.
  std::optional<NumberType> type_of(Id value) const {
    const std::optional<NumberType> type = number_type(module_, module_.type_of(value));
    return type && type->kind != NumberType::Kind::floating ? type : std::nullopt;
  }

  // Enters the value and what it is computed from, operands first. False if it is not computed from constants alone.
  bool reach(Id value, std::uint32_t& node) {
    if (const auto known = node_of_.find(value); known != node_of_.end()) {
      node = known->second;
      return true;
    }
    const InstRef def = module_.def(value);
    const std::optional<NumberType> type = type_of(value);
    if (!type || node_of_.size() >= kMaxNodes) return false;
    Node made{*type, {}, {}, 0};
    if (const auto bits = constant_bits(module_, value)) {
      made.bits = *bits;
    } else if (module_[def].op == Op::OpPhi) {
      if (!reach_phi(def)) return false;
    } else {
      if (module_[def].op == Op::OpExtInst || module_.operands(def).empty()) return false;
      made.inst = def;
      const auto operands = module_.operands(def);
      for (std::size_t i = 0; i < operands.size(); ++i) {
        std::uint32_t operand = 0;
        if (!module_.operand(def, static_cast<std::uint32_t>(i)).is_id ||
            !reach(module_.operand(def, static_cast<std::uint32_t>(i)).word, operand))
          return false;
        made.operands.push_back(operand);
      }
    }
    node = static_cast<std::uint32_t>(nodes_.size());
    if (module_[def].op == Op::OpPhi) phis_.back().node = node;
    nodes_.push_back(std::move(made));
    node_of_[value] = node;
    return true;
  }

  bool reach_phi(InstRef phi) {
    const auto operands = module_.operands(phi);
    if (operands.size() != 4 || std::find(header_.body.begin(), header_.body.end(), phi) == header_.body.end())
      return false;
    const std::size_t next = operands[1].word == latch_label_ ? 0 : 2;
    const auto start = constant_bits(module_, operands[2 - next].word);
    if (!start) return false;
    phis_.push_back({0, *start, operands[next].word, 0});
    return true;
  }

  bool compute() {
    for (Node& node : nodes_) {
      if (!node.inst) continue;
      std::vector<Bits> operands;
      for (const std::uint32_t operand : node.operands) operands.push_back(nodes_[operand].bits);
      const Op op = module_[node.inst].op;
      const bool is_copy = op == Op::OpBitcast || op == Op::OpCopyObject;
      const auto bits =
          is_copy ? std::optional(operands[0]) : apply(op, 0, node.type, nodes_[node.operands[0]].type, operands);
      if (!bits) return false;
      node.bits = *bits;
    }
    return true;
  }

  const Module& module_;
  const Block& header_;
  Id latch_label_;
  std::vector<Node> nodes_;  // operands first, but for phis
  std::vector<Phi> phis_;
  std::map<Id, std::uint32_t> node_of_;
};

class Finder {
 public:
  Finder(const Module& module, const Function& function, const Cfg& cfg, LoopBlocks loop)
      : module_(module), function_(function), cfg_(cfg), loop_{std::move(loop), 0, 0, Cfg::kNone, 0, 0} {}

  std::optional<CountedLoop> run(std::uint32_t max_rounds) {
    if (!find_latch() || !find_test() || !all_constructs_are_whole()) return std::nullopt;
    const InstRef branch = end_of(loop_.test);
    const bool leaves_where_true = cfg_.block_of(module_.operand(branch, 1).word) == out_of_test();
    loop_.stay = cfg_.block_of(module_.operand(branch, leaves_where_true ? 2 : 1).word);
    if (loop_.stay == out_of_test() || !contains(loop_.stay)) return std::nullopt;
    const auto rounds = Simulation(module_, function_.blocks[loop_.header], function_.blocks[loop_.latch].label)
                            .rounds(module_.operand(branch, 0).word, leaves_where_true, max_rounds);
    if (!rounds) return std::nullopt;
    loop_.rounds = *rounds;
    return loop_;
  }

 private:
  InstRef end_of(std::uint32_t block) const { return function_.blocks[block].body.back(); }

  bool contains(std::uint32_t block) const {
    return std::binary_search(loop_.blocks.begin(), loop_.blocks.end(), block);
  }

  std::uint32_t out_of_test() const { return loop_.way_out == Cfg::kNone ? loop_.merge : loop_.way_out; }

  // One way in, and one way back.
  bool find_latch() {
    const std::vector<std::uint32_t>& ways = cfg_.predecessors(loop_.header);
    if (ways.size() != 2 || contains(ways[0]) == contains(ways[1])) return false;
    loop_.latch = contains(ways[0]) ? ways[0] : ways[1];
    const std::uint32_t target =
        cfg_.block_of(module_.operand(loop_merge(module_, function_.blocks[loop_.header]), 1).word);
    return target == loop_.header ? loop_.blocks.size() == 1
                                  : cfg_.dominates(target, loop_.latch) && cfg_.predecessors(target).size() == 1;
  }

  bool find_test() {
    std::vector<std::uint32_t> last;
    for (const std::uint32_t block : cfg_.predecessors(loop_.merge))
      if (contains(block)) last.push_back(block);
    if (last.size() != 1) return false;
    loop_.test = last.front();
    if (module_[end_of(loop_.test)].op == Op::OpBranch) {
      loop_.way_out = loop_.test;
      if (loop_.way_out == loop_.header || cfg_.predecessors(loop_.way_out).size() != 1) return false;
      loop_.test = cfg_.predecessors(loop_.way_out).front();
    }
    if (loop_.test != loop_.header && loop_merge(module_, function_.blocks[loop_.test])) return false;
    return module_[end_of(loop_.test)].op == Op::OpBranchConditional && cfg_.dominates(loop_.test, loop_.latch) &&
           (loop_.test == loop_.latch || module_[end_of(loop_.latch)].op == Op::OpBranch);
  }

  // The constructs inside end inside, and none is around the test. What branches is the test or the header of one.
  // Unreachable blocks lead nowhere in the loop.
  bool all_constructs_are_whole() const {
    return std::all_of(loop_.blocks.begin(), loop_.blocks.end(), [&](std::uint32_t block) {
      const auto is_inside = [&](std::uint32_t other) { return contains(other); };
      const std::vector<std::uint32_t>& ways = cfg_.predecessors(block);
      if (block != loop_.header && !std::all_of(ways.begin(), ways.end(), is_inside)) return false;
      if (block == loop_.test) return true;
      const InstRef merge = block == loop_.header ? InstRef{} : merge_instruction(module_, function_.blocks[block]);
      if (!merge) return cfg_.successors(block).size() < 2 || is_end_of_inner_loop(block);
      for (std::uint32_t i = 0; i < (module_[merge].op == Op::OpLoopMerge ? 2u : 1u); ++i)
        if (!contains(cfg_.block_of(module_.operand(merge, i).word))) return false;
      const std::uint32_t behind = cfg_.block_of(module_.operand(merge, 0).word);
      return !cfg_.dominates(block, loop_.test) || cfg_.dominates(behind, loop_.test);
    });
  }

  // Branches of a loop further inside go to its merge block or continue target without a selection.
  bool is_end_of_inner_loop(std::uint32_t block) const {
    return cfg_.loop_depth(block) > cfg_.loop_depth(loop_.header);
  }

  const Module& module_;
  const Function& function_;
  const Cfg& cfg_;
  CountedLoop loop_;
};

}  // namespace

std::optional<LoopBlocks> loop_blocks(const Module& module, const Function& function, const Cfg& cfg,
                                      std::uint32_t header) {
  const InstRef merge = loop_merge(module, function.blocks[header]);
  if (!merge || !cfg.reachable(header)) return std::nullopt;
  LoopBlocks loop;
  loop.header = header;
  loop.merge = cfg.block_of(module.operand(merge, 0).word);
  if (loop.merge == Cfg::kNone || !cfg.reachable(loop.merge)) return std::nullopt;
  const std::vector<std::uint32_t>& tree = cfg.dominator_tree();
  for (auto block = std::find(tree.begin(), tree.end(), header); block != tree.end() && cfg.dominates(header, *block);
       ++block)
    if (!cfg.dominates(loop.merge, *block)) loop.blocks.push_back(*block);
  std::sort(loop.blocks.begin(), loop.blocks.end());
  return loop;
}

std::optional<CountedLoop> counted_loop(const Module& module, const Function& function, const Cfg& cfg,
                                        std::uint32_t header, std::uint32_t max_rounds) {
  std::optional<LoopBlocks> loop = loop_blocks(module, function, cfg, header);
  return loop ? Finder(module, function, cfg, std::move(*loop)).run(max_rounds) : std::nullopt;
}

}  // namespace varylink::spirv
