#include "spirv/cleanup/call_plan.h"

#include <algorithm>
#include <map>

#include "spirv/ir/cfg.h"

namespace varylink::spirv {
namespace {

using spv::Op;

bool ends_invocation(Op op) {
  switch (op) {
    case Op::OpKill:
    case Op::OpTerminateInvocation:
    case Op::OpIgnoreIntersectionKHR:
    case Op::OpTerminateRayKHR:
    case Op::OpEmitMeshTasksEXT: return true;
    default: return false;
  }
}

class Planner {
 public:
  explicit Planner(const Module& module)
      : module_(module), state_(module.functions.size()), shape_(module.functions.size()) {
    plan_.calls.assign(module.functions.size(), 0);
    plan_.is_entry.assign(module.functions.size(), false);
    for (std::size_t i = 0; i < module.functions.size(); ++i) place_[module.functions[i].result] = i;
  }

  std::optional<CallPlan> run() {
    for (const EntryPoint& entry : module_.entries()) {
      const auto found = place_.find(entry.function);
      if (found == place_.end() || !visit(found->second)) return std::nullopt;
      plan_.is_entry[found->second] = true;
    }
    for (std::size_t i = 0; i < plan_.calls.size(); ++i)
      if (plan_.is_entry[i] && plan_.calls[i] != 0) return std::nullopt;
    return plan_.order.empty() ? std::nullopt : std::optional(plan_);
  }

 private:
  enum class State : std::uint8_t { unseen, open, done };
  // Of a function with all that it calls inlined.
  struct Shape {
    bool has_blocks = false;  // more than one
    bool ends_invocation = false;
  };

  // Nesting is as deep as the call tree, which SPIR-V's limits keep small.
  bool visit(std::size_t place) {
    if (state_[place] != State::unseen) return state_[place] == State::done;
    state_[place] = State::open;
    const Function& function = module_.functions[place];
    if (function.blocks.empty()) return false;
    shape_[place].has_blocks = function.blocks.size() > 1;
    std::optional<Cfg> cfg;
    for (std::uint32_t block = 0; block < function.blocks.size(); ++block)
      for (const InstRef inst : function.blocks[block].body) {
        shape_[place].ends_invocation = shape_[place].ends_invocation || ends_invocation(module_[inst].op);
        if (module_[inst].op != Op::OpFunctionCall) continue;
        const auto callee = place_.find(module_.operand(inst, 0).word);
        if (callee == place_.end() || !visit(callee->second)) return false;
        if (plan_.calls[callee->second]++ == 0 && !has_inlinable_form(module_.functions[callee->second])) return false;
        if (!cfg) cfg.emplace(module_, function);
        if (!may_stand_in(shape_[callee->second], function, *cfg, block)) return false;
        shape_[place].has_blocks = shape_[place].has_blocks || shape_[callee->second].has_blocks;
        shape_[place].ends_invocation = shape_[place].ends_invocation || shape_[callee->second].ends_invocation;
      }
    state_[place] = State::done;
    plan_.order.push_back(place);
    return true;
  }

  bool has_inlinable_form(const Function& function) const {
    constexpr auto kDontInline = static_cast<std::uint32_t>(spv::FunctionControlMask::DontInline);
    const auto head = std::find_if(function.head.begin(), function.head.end(),
                                   [&](InstRef inst) { return module_[inst].op == Op::OpFunction; });
    if (head == function.head.end() || (module_.operand(*head, 0).word & kDontInline) != 0) return false;
    if (loop_merge(module_, function.blocks.front())) return false;
    std::uint32_t end = Cfg::kNone;
    for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
      if (!is_return(module_[function.blocks[block].body.back()].op)) continue;
      if (end != Cfg::kNone) return false;
      end = block;
    }
    if (end == Cfg::kNone) return false;
    return function.blocks.size() == 1 || stands_alone(function, end);
  }

  // The block that the construct of a header ends at; kNone if it heads none.
  std::uint32_t merge_of(const Function& function, const Cfg& cfg, std::uint32_t header) const {
    for (const InstRef inst : function.blocks[header].body)
      if (module_[inst].op == Op::OpSelectionMerge || module_[inst].op == Op::OpLoopMerge)
        return cfg.block_of(module_.operand(inst, 0).word);
    return Cfg::kNone;
  }

  // The block is reachable, and inside of no selection or loop.
  bool stands_alone(const Function& function, std::uint32_t block) const {
    const Cfg cfg(module_, function);
    if (!cfg.reachable(block)) return false;
    // Headers from the outside in. What a construct has in it is over where that construct ends.
    for (const std::uint32_t header : cfg.dominator_tree()) {
      if (header == block || !cfg.dominates(header, block)) continue;
      const std::uint32_t merge = merge_of(function, cfg, header);
      if (merge == Cfg::kNone) continue;
      if (merge == block) return true;
      if (!cfg.reachable(merge) || !cfg.dominates(merge, block)) return false;
    }
    return true;
  }

  bool may_stand_in(const Shape& callee, const Function& caller, const Cfg& cfg, std::uint32_t block) const {
    if (callee.has_blocks && loop_merge(module_, caller.blocks[block])) return false;
    return !callee.ends_invocation || !is_in_continue(caller, cfg, block);
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
  std::vector<State> state_;
  std::vector<Shape> shape_;
  CallPlan plan_;
};

}  // namespace

std::optional<CallPlan> plan_calls(const Module& module) { return Planner(module).run(); }

}  // namespace varylink::spirv
