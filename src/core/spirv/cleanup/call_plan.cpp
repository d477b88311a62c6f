#include "spirv/cleanup/call_plan.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/seeded_fault.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/foreign.h"
#include "spirv/ir/operations.h"

namespace varylink::spirv {
namespace {

using spv::Op;

class Planner {
 public:
  explicit Planner(const Module& module)
      : module_(module), state_(module.functions.size()), shape_(module.functions.size()) {
    plan_.copies.assign(module.functions.size(), 0);
    for (std::size_t i = 0; i < module.functions.size(); ++i) place_[module.functions[i].result] = i;
    is_entry_.assign(module.functions.size(), false);
    for (const EntryPoint& entry : module.entries())
      if (const auto found = place_.find(entry.function); found != place_.end()) is_entry_[found->second] = true;
    plan_.stays = is_entry_;
  }

  CallPlan run() {
    for (std::size_t place = 0; place < is_entry_.size(); ++place)
      if (is_entry_[place]) visit(place);
    return std::move(plan_);
  }

 private:
  enum class State : std::uint8_t { unseen, open, done };
  // Of a function with the calls in it written out that are.
  struct Shape {
    bool is_inlinable = false;
    bool calls_itself = false;  // directly or through others
    bool has_blocks = false;    // more than one
    // Somewhere it ends the invocation, or may never get on: a loop's way out may turn out to be decided. A continue
    // construct always gets to its back edge (SPIR-V, "Structured Control Flow").
    bool has_dead_end = false;
    bool returns = false;
  };

  // Nesting is as deep as the call tree, which SPIR-V's limits keep small.
  void visit(std::size_t place) {
    if (state_[place] != State::unseen) return;
    state_[place] = State::open;
    const Function& function = module_.functions[place];
    Shape& shape = shape_[place];
    shape.has_blocks = function.blocks.size() > 1;
    std::optional<Cfg> cfg;
    for (std::uint32_t block = 0; block < function.blocks.size(); ++block)
      for (const InstRef inst : function.blocks[block].body) {
        const Op op = module_[inst].op;
        shape.has_dead_end = shape.has_dead_end || row_of(op).is(kEndsInvocation) || op == Op::OpUnreachable ||
                             (op == Op::OpLoopMerge && !seeded_fault("loops-stand-in-continue-constructs"));
        if (op != Op::OpFunctionCall) continue;
        const auto callee = place_.find(module_.operand(inst, 0).word);
        if (callee == place_.end()) continue;
        visit(callee->second);
        if (!cfg) cfg.emplace(module_, function);
        plan_call(inst, callee->second, shape, function, *cfg, block);
      }
    find_form(place);
    state_[place] = State::done;
    plan_.order.push_back(place);
  }

  void plan_call(InstRef call, std::size_t callee, Shape& around, const Function& caller, const Cfg& cfg,
                 std::uint32_t block) {
    const Shape& shape = shape_[callee];
    if (state_[callee] == State::open) around.calls_itself = true;
    if (state_[callee] != State::done || !shape.is_inlinable || !may_stand_in(shape, caller, cfg, block)) {
      plan_.stays[callee] = true;
      return;
    }
    plan_.written_out.insert(call);
    ++plan_.copies[callee];
    around.has_blocks = around.has_blocks || shape.has_blocks || !shape.returns;
    around.has_dead_end = around.has_dead_end || shape.has_dead_end || !shape.returns;
  }

  void find_form(std::size_t place) {
    constexpr auto kDontInline = static_cast<std::uint32_t>(spv::FunctionControlMask::DontInline);
    const Function& function = module_.functions[place];
    if (function.blocks.empty() || is_entry_[place] || shape_[place].calls_itself) return;
    if (has_foreign(module_, function)) return;
    const auto head = std::find_if(function.head.begin(), function.head.end(),
                                   [&](InstRef inst) { return module_[inst].op == Op::OpFunction; });
    if (head == function.head.end() || (module_.operand(*head, 0).word & kDontInline) != 0) return;
    std::uint32_t end = Cfg::kNone;
    for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
      if (!is_return(module_[function.blocks[block].body.back()].op)) continue;
      if (end != Cfg::kNone) return;
      end = block;
    }
    shape_[place].returns = end != Cfg::kNone;
    shape_[place].is_inlinable = function.blocks.size() == 1 || end == Cfg::kNone || stands_alone(function, end);
  }

  // The block that the construct of a header ends at; kNone if it heads none.
  std::uint32_t merge_of(const Function& function, const Cfg& cfg, std::uint32_t header) const {
    const InstRef merge = merge_instruction(module_, function.blocks[header]);
    return merge ? cfg.block_of(module_.operand(merge, 0).word) : Cfg::kNone;
  }

  // The block is reachable, and inside of no selection or loop.
  bool stands_alone(const Function& function, std::uint32_t block) const {
    const Cfg cfg(module_, function);
    if (!cfg.reachable(block)) return false;
    // Headers from the outside in. What a construct has in it is over where that construct ends.
    std::uint32_t last_end = 0;
    for (const std::uint32_t header : cfg.dominator_tree()) {
      if (header == block || !cfg.dominates(header, block) || !cfg.dominates(last_end, header)) continue;
      const std::uint32_t merge = merge_of(function, cfg, header);
      if (merge == Cfg::kNone) continue;
      if (merge == block) return true;
      if (!cfg.reachable(merge) || !cfg.dominates(merge, block)) return false;
      last_end = merge;
    }
    return true;
  }

  bool may_stand_in(const Shape& callee, const Function& caller, const Cfg& cfg, std::uint32_t block) const {
    const bool in_header = static_cast<bool>(loop_merge(module_, caller.blocks[block]));
    if (in_header && !callee.returns) return false;
    if (in_header && callee.has_blocks && !may_divide_header(module_, caller.blocks[block])) return false;
    return (callee.returns && !callee.has_dead_end) || !is_in_continue(caller, cfg, block);
  }

  bool is_in_continue(const Function& function, const Cfg& cfg, std::uint32_t block) const {
    return std::any_of(function.blocks.begin(), function.blocks.end(), [&](const Block& header) {
      const InstRef merge = loop_merge(module_, header);
      if (!merge) return false;
      const std::uint32_t target = cfg.block_of(module_.operand(merge, 1).word);
      return target != Cfg::kNone && cfg.reachable(target) && cfg.dominates(target, block);
    });
  }

  const Module& module_;
  std::map<Id, std::size_t> place_;  // of functions
  std::vector<bool> is_entry_;       // by place
  std::vector<State> state_;
  std::vector<Shape> shape_;
  CallPlan plan_;
};

}  // namespace

bool may_divide_header(const Module& module, const Block& header) {
  const InstRef merge = loop_merge(module, header), branch = header.body.back();
  if (module[branch].op == Op::OpBranch) return true;
  if (module[branch].op != Op::OpBranchConditional) return false;
  // Without a merge instruction of its own a block may choose only between going on and leaving (SPIR-V 2.11).
  const auto leaves = [&](std::uint32_t position) {
    const Operand target = module.operand(branch, position);
    return target == module.operand(merge, 0) || target == module.operand(merge, 1);
  };
  return leaves(1) || leaves(2);
}

CallPlan plan_calls(const Module& module) { return Planner(module).run(); }

}  // namespace varylink::spirv
