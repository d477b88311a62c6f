#include <algorithm>
#include <set>
#include <unordered_map>
#include <vector>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/cleanup/counted_loops.h"
#include "spirv/cleanup/simplify.h"
#include "spirv/ir/annotation_copies.h"
#include "spirv/ir/replaced_ids.h"
#include "spirv/ir/value_decorations.h"

namespace varylink::spirv {
namespace {

using spv::Op;

// Writes out loops of one function of which none is inside of another.
class Unroller {
 public:
  Unroller(Module& module, Function& function, const Cfg& cfg)
      : module_(module), function_(function), cfg_(cfg), decorations_(module) {}

  void run(const std::vector<CountedLoop>& loops) {
    std::vector<const CountedLoop*> loop_of(function_.blocks.size(), nullptr);
    for (const CountedLoop& loop : loops)
      for (const std::uint32_t block : loop.blocks) loop_of[block] = &loop;
    for (std::uint32_t block = 0; block < loop_of.size(); ++block) {
      if (!loop_of[block])
        blocks_.push_back(std::move(function_.blocks[block]));
      else if (loop_of[block]->header == block)
        write_out(*loop_of[block]);
    }
    function_.blocks = std::move(blocks_);
    redirect();
    replaced_.apply(module_);
    remove_dangling_annotations(module_);
  }

 private:
  using Map = std::unordered_map<Id, Id>;

  // The copies stand where the header stood, so that they are in front of all that the loop dominates.
  void write_out(const CountedLoop& loop) {
    std::vector<Id> headers;
    for (std::uint32_t round = 1; round < loop.rounds; ++round) headers.push_back(module_.new_id());
    headers.push_back(function_.blocks[loop.header].label);
    if (loop.rounds > 1) first_label_[headers.back()] = headers.front();
    Map before;
    for (std::uint32_t round = 0; round + 1 < loop.rounds; ++round) {
      Map now = new_ids(loop, headers[round]);
      map_phis(loop, round == 0 ? nullptr : &before, now);
      for (const std::uint32_t block : loop.blocks)
        if (block != loop.way_out) write_copy(loop, block, headers[round + 1], now);
      before = std::move(now);
    }
    write_last(loop, loop.rounds == 1 ? nullptr : &before);
  }

  bool is_header_phi(const CountedLoop& loop, std::uint32_t block, InstRef inst) const {
    return block == loop.header && module_[inst].op == Op::OpPhi;
  }

  // For everything in a round but the phis of the header.
  Map new_ids(const CountedLoop& loop, Id header_label) {
    Map map;
    for (const std::uint32_t block : loop.blocks) {
      if (block == loop.way_out) continue;
      map[function_.blocks[block].label] = block == loop.header ? header_label : module_.new_id();
      for (const InstRef inst : function_.blocks[block].body)
        if (module_[inst].result != 0 && !is_header_phi(loop, block, inst))
          map[module_[inst].result] = module_.new_id();
    }
    return map;
  }

  static Id mapped(const Map& map, Id value) {
    const auto found = map.find(value);
    return found == map.end() ? value : found->second;
  }

  // What a phi of the header is in the round behind `before`; in the first round if there is none.
  Id value_of_phi(const CountedLoop& loop, InstRef phi, const Map* before) const {
    const auto operands = module_.operands(phi);
    const bool first_is_back = operands[1].word == function_.blocks[loop.latch].label;
    if (before) return mapped(*before, operands[first_is_back ? 0 : 2].word);
    return operands[first_is_back ? 2 : 0].word;
  }

  // Copies of a phi stand for a value that must not stand for it.
  bool needs_copy(InstRef phi, Id value) const { return !decorations_.may_stand_for(value, module_[phi].result); }

  void map_phis(const CountedLoop& loop, const Map* before, Map& now) {
    for (const InstRef phi : function_.blocks[loop.header].body) {
      if (module_[phi].op != Op::OpPhi) continue;
      const Id value = value_of_phi(loop, phi, before);
      if (!needs_copy(phi, value)) {
        decorations_.pass_on(module_, value, module_[phi].result);
        now[module_[phi].result] = value;
      } else {
        const Id copy = module_.new_id();
        decorations_of_.copy(module_, module_[phi].result, copy);
        copies_of_phis_.push_back(module_.create(Op::OpCopyObject, module_[phi].type, copy, {id(value)}));
        now[module_[phi].result] = copy;
      }
    }
  }

  void write_copy(const CountedLoop& loop, std::uint32_t block, Id next_header, const Map& map) {
    Block copy;
    copy.label = map.at(function_.blocks[block].label);
    for (const InstRef inst : function_.blocks[block].head) copy.head.push_back(copy_of(inst, map));
    if (block == loop.header) copy.body = std::move(copies_of_phis_);
    copies_of_phis_.clear();
    for (const InstRef inst : function_.blocks[block].body)
      if (!is_replaced(loop, block, inst)) copy.body.push_back(copy_of(inst, map));
    if (ends_anew(loop, block)) {
      const bool goes_back = block == loop.latch;
      const Id target = goes_back ? next_header : map.at(function_.blocks[loop.stay].label);
      copy.body.push_back(module_.create(Op::OpBranch, 0, 0, {id(target)}));
      if (goes_back) back_edges_.insert(copy.body.back());
    }
    blocks_.push_back(std::move(copy));
  }

  static bool ends_anew(const CountedLoop& loop, std::uint32_t block) {
    return block == loop.latch || block == loop.test;
  }

  // What no copy of the block has, or has otherwise: phis and merge instruction of the header, the way to the next
  // round, and the test with the selection that may be around it.
  bool is_replaced(const CountedLoop& loop, std::uint32_t block, InstRef inst) const {
    const Block& original = function_.blocks[block];
    if (is_header_phi(loop, block, inst)) return true;
    if (block == loop.header && module_[inst].op == Op::OpLoopMerge) return true;
    if (block == loop.test && inst == merge_instruction(module_, original)) return true;
    return ends_anew(loop, block) && inst == original.body.back();
  }

  InstRef copy_of(InstRef inst, const Map& map) {
    const Inst record = module_[inst];
    const auto span = module_.operands(inst);
    std::vector<Operand> operands(span.begin(), span.end());
    for (Operand& operand : operands)
      if (operand.is_id) operand.word = mapped(map, operand.word);
    if (record.result == 0) return module_.create(record.op, record.type, 0, operands);
    const Id result = map.at(record.result);
    if (record.op != Op::OpLabel) decorations_of_.copy(module_, record.result, result);
    return module_.create(record.op, record.type, result, operands);
  }

  // The round that leaves the loop: what stands in front of the test, and the way out.
  void write_last(const CountedLoop& loop, const Map* before) {
    std::vector<InstRef> gone;
    for (const std::uint32_t block : loop.blocks) {
      Block own = function_.blocks[block];
      const bool is_behind = block != loop.way_out && block != loop.test && cfg_.dominates(loop.test, block);
      if (is_behind) {
        gone.insert(gone.end(), own.head.begin(), own.head.end());
        gone.insert(gone.end(), own.body.begin(), own.body.end());
        continue;
      }
      std::vector<InstRef> kept;
      for (const InstRef inst : function_.blocks[block].body) {
        if (!is_replaced(loop, block, inst))
          kept.push_back(inst);
        else if (!is_header_phi(loop, block, inst) || !keep_as_copy(inst, value_of_phi(loop, inst, before), kept))
          gone.push_back(inst);
      }
      if (block == loop.test) {
        const std::uint32_t out = loop.way_out == Cfg::kNone ? loop.merge : loop.way_out;
        kept.push_back(module_.create(Op::OpBranch, 0, 0, {id(label_of(out))}));
      }
      own.body = std::move(kept);
      blocks_.push_back(std::move(own));
    }
    for (const InstRef inst : gone) module_.kill(inst);
  }

  Id label_of(std::uint32_t block) const { return function_.blocks[block].label; }

  // Whether the phi had to become a copy of its value. Else the value takes its place.
  bool keep_as_copy(InstRef phi, Id value, std::vector<InstRef>& kept) {
    if (needs_copy(phi, value)) {
      module_.rewrite(phi, Op::OpCopyObject, {id(value)});
      kept.push_back(phi);
      return true;
    }
    decorations_.pass_on(module_, value, module_[phi].result);
    replaced_.replace(module_[phi].result, value, module_);
    return false;
  }

  // Whoever came to a header from outside goes to its first copy.
  void redirect() {
    const auto is_control = [](Op op) {
      return op == Op::OpBranch || op == Op::OpBranchConditional || op == Op::OpSwitch || op == Op::OpSelectionMerge ||
             op == Op::OpLoopMerge;
    };
    for (const Block& block : function_.blocks)
      for (std::size_t i = block.body.size() < 2 ? 0 : block.body.size() - 2; i < block.body.size(); ++i) {
        const InstRef inst = block.body[i];
        if (!is_control(module_[inst].op) || back_edges_.count(inst) != 0) continue;
        for (std::uint32_t o = 0; o < module_.operands(inst).size(); ++o)
          if (const Operand operand = module_.operand(inst, o); operand.is_id)
            if (const auto first = first_label_.find(operand.word); first != first_label_.end())
              module_.set_operand(inst, o, id(first->second));
      }
  }

  Module& module_;
  Function& function_;
  const Cfg& cfg_;
  ValueDecorations decorations_;
  AnnotationCopies decorations_of_{&Module::annotations};
  ReplacedIds replaced_;                    // phis of headers by what they are in the last round
  std::unordered_map<Id, Id> first_label_;  // of headers that have several copies
  std::set<InstRef> back_edges_;            // branches from one copy to the next
  std::vector<InstRef> copies_of_phis_;     // for the header of the copy at hand
  std::vector<Block> blocks_;               // of the function as it becomes
};

// Those of the loops with these headers that have no other of them inside, which are taken from `headers`.
std::vector<CountedLoop> take_innermost(const Module& module, const Function& function, const Cfg& cfg,
                                        std::vector<Id>& headers, std::uint32_t max_rounds) {
  std::vector<bool> is_header(function.blocks.size(), false);
  for (const Id header : headers)
    if (const std::uint32_t block = cfg.block_of(header); block != Cfg::kNone) is_header[block] = true;
  std::vector<CountedLoop> found;
  std::vector<Id> later;
  for (const Id header : headers) {
    const std::uint32_t block = cfg.block_of(header);
    if (block == Cfg::kNone) continue;
    std::optional<CountedLoop> loop = counted_loop(module, function, cfg, block, max_rounds);
    if (!loop) continue;
    const auto inside =
        std::count_if(loop->blocks.begin(), loop->blocks.end(), [&](std::uint32_t inner) { return is_header[inner]; });
    if (inside > 1)
      later.push_back(header);
    else
      found.push_back(std::move(*loop));
  }
  headers = std::move(later);
  return found;
}

}  // namespace

void unroll_loops(Module& module, std::uint32_t function, std::span<const Id> headers, std::uint32_t max_rounds) {
  std::vector<Id> open(headers.begin(), headers.end());
  while (!open.empty()) {
    Function& code = module.functions[function];
    const Cfg cfg(module, code);
    const std::vector<CountedLoop> loops = take_innermost(module, code, cfg, open, max_rounds);
    if (loops.empty()) break;
    Unroller(module, code, cfg).run(loops);
  }
}

}  // namespace varylink::spirv
