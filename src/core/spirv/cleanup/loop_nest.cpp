#include "spirv/cleanup/loop_nest.h"

#include <algorithm>
#include <set>

#include "spirv/cleanup/constant_folder.h"
#include "spirv/cleanup/counted_loops.h"
#include "spirv/ir/code_size.h"
#include "spirv/ir/foreign.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/pointer_path.h"
#include "spirv/ir/result_blocks.h"

namespace varylink::spirv {
namespace {

using spv::Op;

// Far more than anybody writes out.
constexpr std::size_t kMaxSize = std::size_t{1} << 30;

}  // namespace

LoopNest::LoopNest(const Module& module, const Function& function, std::uint32_t max_rounds)
    : module_(module),
      function_(function),
      cfg_(module, function),
      innermost_(function.blocks.size(), kNone),
      headed_(function.blocks.size(), kNone),
      block_of_(blocks_of_results(module, function)) {
  for (const std::uint32_t header : cfg_.dominator_tree()) {
    const std::optional<LoopBlocks> blocks = loop_blocks(module, function, cfg_, header);
    if (!blocks) continue;
    const bool may_copy = std::none_of(blocks->blocks.begin(), blocks->blocks.end(), [&](std::uint32_t block) {
      return has_foreign(module, function.blocks[block]);
    });
    const std::optional<CountedLoop> counted =
        may_copy ? counted_loop(module, function, cfg_, header, max_rounds) : std::nullopt;
    headed_[header] = static_cast<std::uint32_t>(loops_.size());
    loops_.push_back({function.blocks[header].label, innermost_[header], counted ? counted->rounds : 0, 0});
    for (const std::uint32_t block : blocks->blocks) innermost_[block] = headed_[header];
  }
  for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
    const std::size_t size = code_size(module, function.blocks[block]) + 1;
    (innermost_[block] == kNone ? outside_ : loops_[innermost_[block]].own_size) += size;
  }
}

// Walks from a value to what it is computed from.
class LoopNest::Search {
 public:
  Search(const LoopNest& nest, std::uint32_t block) : nest_(nest), module_(nest.module_), block_(block) {}

  std::optional<Wanted> run(Id value) {
    open_ = {value};
    while (!open_.empty()) {
      const Id id = open_.back();
      open_.pop_back();
      if (seen_.insert(id).second && !visit(id)) return std::nullopt;
    }
    if (behind_memory_)
      for (std::uint32_t loop = nest_.innermost_[block_]; loop != kNone; loop = nest_.loops_[loop].parent)
        if (nest_.loops_[loop].rounds != 0) loops_.insert(loop);
    return Wanted{{loops_.begin(), loops_.end()}, !behind_memory_};
  }

 private:
  bool visit(Id id) {
    const InstRef def = module_.def(id);
    if (!def || is_constant(module_, id) || module_[def].op == Op::OpUndef) return true;
    const std::uint32_t block = id < nest_.block_of_.size() ? nest_.block_of_[id] : Cfg::kNone;
    if (block == Cfg::kNone) return false;  // a parameter, a specialization constant
    switch (module_[def].op) {
      case Op::OpPhi: return visit_phi(def, block);
      case Op::OpLoad: return visit_load(def);
      case Op::OpVariable: return true;
      default:
        if (!is_removable(module_, def) || module_.operands(def).empty()) return false;
        return visit_operands(def);
    }
  }

  bool visit_operands(InstRef inst) {
    for (const Operand& operand : module_.operands(inst).subspan(first_value_operand(module_, inst)))
      if (operand.is_id) open_.push_back(operand.word);
    return true;
  }

  // The phi of a loop depends on its round, any other on where its block was come from.
  bool visit_phi(InstRef phi, std::uint32_t block) {
    const auto operands = module_.operands(phi);
    for (std::size_t i = 0; i < operands.size(); i += 2) open_.push_back(operands[i].word);
    if (const std::uint32_t loop = nest_.headed_[block]; loop != kNone) {
      loops_.insert(loop);
      return nest_.loops_[loop].rounds != 0;
    }
    const std::uint32_t above = nest_.cfg_.immediate_dominator(block);
    if (above == Cfg::kNone) return true;
    const InstRef branch = nest_.function_.blocks[above].body.back();
    if (module_[branch].op == Op::OpBranchConditional || module_[branch].op == Op::OpSwitch)
      open_.push_back(module_.operand(branch, 0).word);
    return true;
  }

  // Locals and private variables may become values.
  bool visit_load(InstRef load) {
    const AccessPath path = access_path(module_, module_.operand(load, 0).word);
    open_.insert(open_.end(), path.indices.begin(), path.indices.end());
    if (module_.def_op(path.root) != Op::OpVariable) return false;
    behind_memory_ = true;
    return is_variable_in(module_, path.root, spv::StorageClass::Function) ||
           is_variable_in(module_, path.root, spv::StorageClass::Private);
  }

  const LoopNest& nest_;
  const Module& module_;
  std::uint32_t block_;
  std::vector<Id> open_;
  std::set<Id> seen_;
  std::set<std::uint32_t> loops_;
  bool behind_memory_ = false;
};

std::optional<LoopNest::Wanted> LoopNest::loops_behind(Id value, std::uint32_t block) const {
  return Search(*this, block).run(value);
}

std::size_t LoopNest::size_with(const std::vector<bool>& written_out) const {
  std::size_t size = outside_;
  std::vector<std::size_t> copies(loops_.size(), 1);
  for (std::size_t loop = 0; loop < loops_.size(); ++loop) {
    if (loops_[loop].parent != kNone) copies[loop] = copies[loops_[loop].parent];
    if (written_out[loop]) copies[loop] = std::min(kMaxSize, copies[loop] * std::max(1u, loops_[loop].rounds));
    size = std::min(kMaxSize, size + copies[loop] * std::min(kMaxSize, loops_[loop].own_size));
  }
  return size;
}

}  // namespace varylink::spirv
