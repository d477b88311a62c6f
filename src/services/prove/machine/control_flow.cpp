// Blocks, branches and calls: see execution.h.
#include <algorithm>
#include <queue>

#include "prove/machine/machine.h"

namespace varylink::prove {
namespace {

constexpr unsigned kDeepestCall = 64;
constexpr std::size_t kLeavesPerStep = 8;  // of a state that is copied

}  // namespace

Machine::Frame& Machine::frame_of(const spirv::Function& function) {
  const auto found = frames_.find(function.result);
  if (found != frames_.end()) return found->second;
  Frame& frame = frames_.emplace(function.result, Frame{function, spirv::Cfg(module_, function), {}, {}}).first->second;
  frame.order.assign(function.blocks.size(), 0);
  const auto& sequence = frame.cfg.reverse_post_order();
  for (std::uint32_t i = 0; i < sequence.size(); ++i) frame.order[sequence[i]] = i;
  find_loops(frame);
  return frame;
}

// Natural loops: the blocks from which a back edge is reached without passing the header.
void Machine::find_loops(Frame& frame) {
  const std::size_t count = frame.function.blocks.size();
  frame.loop_of.resize(count);
  for (const std::uint32_t block : frame.cfg.reverse_post_order())
    for (const std::uint32_t header : frame.cfg.successors(block)) {
      if (!frame.cfg.dominates(header, block)) continue;
      std::vector<std::uint32_t>& body = frame.loop_of[header];
      std::vector<std::uint32_t> pending = {block};
      if (body.empty()) body.push_back(header);
      while (!pending.empty()) {
        const std::uint32_t next = pending.back();
        pending.pop_back();
        if (std::ranges::find(body, next) != body.end()) continue;
        body.push_back(next);
        for (const std::uint32_t before : frame.cfg.predecessors(next))
          if (frame.cfg.reachable(before)) pending.push_back(before);
      }
    }
}

std::vector<Exit> Machine::call(const spirv::Function& function, Term condition, State state) {
  if (++call_depth_ > kDeepestCall) throw Unsupported{"calls nested too deeply"};
  if (function.blocks.empty()) throw Unsupported{"a function without a body"};
  Frame& frame = frame_of(function);
  Path path{condition, std::move(state), {}, {}};
  std::vector<Exit> exits =
      run_region(frame, 0, std::move(path), std::vector<bool>(function.blocks.size(), true), spirv::Cfg::kNone);
  --call_depth_;
  return exits;
}

// What `part` is behind the paths: what it is on the one that is taken.
Term Machine::merge_term(const std::vector<Path>& paths, Term condition, const std::function<Term(const Path&)>& part) {
  const Term first = part(paths[0]);
  if (std::ranges::all_of(paths, [&](const Path& path) { return part(path) == first; })) return first;
  Term result = part(paths.back());
  for (std::size_t i = paths.size() - 1; i-- > 0;) result = terms_.choose(paths[i].condition, part(paths[i]), result);
  return terms_.restrict_to(result, condition);
}

Path Machine::merge(std::vector<Path> paths) {
  if (paths.size() == 1) return std::move(paths[0]);
  Path result = paths[0];
  for (std::size_t i = 1; i < paths.size(); ++i)
    result.condition = terms_.logical_or(result.condition, paths[i].condition);
  for (std::size_t leaf = 0; leaf < result.state.leaves.size(); ++leaf)
    result.state.leaves[leaf] =
        merge_term(paths, result.condition, [leaf](const Path& path) { return path.state.leaves[leaf]; });
  for (std::size_t phi = 0; phi < result.phis.size(); ++phi) {
    for (const Path& path : paths)
      if (path.phis[phi].pointer) throw Unsupported{"a choice between pointers"};
    for (std::size_t leaf = 0; leaf < result.phis[phi].leaves.size(); ++leaf)
      result.phis[phi].leaves[leaf] =
          merge_term(paths, result.condition, [phi, leaf](const Path& path) { return path.phis[phi].leaves[leaf]; });
  }
  merge_carried(paths, result);
  return result;
}

// A value that some path does not have is not used behind it: its definition dominates its uses (SPIR-V 2.16.1).
void Machine::merge_carried(const std::vector<Path>& paths, Path& result) {
  std::map<Id, std::vector<Path>> having;
  for (const Path& path : paths)
    for (const auto& [id, value] : path.carried) {
      Path reduced{path.condition, {}, {value}, {}};
      having[id].push_back(std::move(reduced));
    }
  for (auto& [id, some] : having) {
    Value value = some[0].phis[0];
    if (!value.pointer)
      for (std::size_t leaf = 0; leaf < value.leaves.size(); ++leaf)
        value.leaves[leaf] =
            merge_term(some, result.condition, [leaf](const Path& path) { return path.phis[0].leaves[leaf]; });
    result.carried[id] = std::move(value);
  }
}

std::vector<Exit> Machine::run_region(Frame& frame, std::uint32_t first, Path path, const std::vector<bool>& inside,
                                      std::uint32_t current_loop) {
  std::vector<Exit> exits;
  std::map<std::uint32_t, std::pair<std::uint32_t, std::vector<Path>>> pending;  // by place in the order
  pending[frame.order[first]] = {first, {}};
  pending[frame.order[first]].second.push_back(std::move(path));
  bool started = false;
  while (!pending.empty()) {
    terms_.spend_step();
    if (terms_.exhausted()) throw Unsupported{"the work budget is used up"};
    auto [block, paths] = std::move(pending.begin()->second);
    pending.erase(pending.begin());
    std::vector<Exit> next;
    Path merged = merge(std::move(paths));
    if (terms_.is_false(merged.condition)) continue;
    if (!frame.loop_of[block].empty() && block != current_loop)
      next = run_loop(frame, block, std::move(merged));
    else
      run_block(frame, block, std::move(merged), next);
    started = true;
    for (Exit& exit : next) {
      const bool leaves = exit.target == kReturn || exit.target == kKill || !inside[exit.target] ||
                          (exit.target == current_loop && started);
      if (leaves) {
        exits.push_back(std::move(exit));
        continue;
      }
      auto& waiting = pending[frame.order[exit.target]];
      waiting.first = exit.target;
      waiting.second.push_back(std::move(exit.path));
    }
  }
  return exits;
}

std::vector<Value> Machine::phi_values(const Frame& frame, std::uint32_t from, std::uint32_t to) {
  std::vector<Value> result;
  const Id label = frame.function.blocks[from].label;
  for (const spirv::InstRef ref : frame.function.blocks[to].body) {
    if (module_[ref].op != spv::Op::OpPhi) continue;
    const auto operands = module_.operands(ref);
    bool found = false;
    for (std::size_t i = 0; i + 1 < operands.size() && !found; i += 2)
      if (operands[i + 1].word == label) {
        result.push_back(value(operands[i].word));
        found = true;
      }
    if (!found) throw Unsupported{"a phi without a value for its predecessor"};
  }
  return result;
}

void Machine::branch(Frame& frame, std::uint32_t from, Id to, Term condition, const State& state,
                     std::vector<Exit>& exits) {
  if (terms_.is_false(condition)) return;
  const std::uint32_t target = frame.cfg.block_of(to);
  terms_.spend_steps(state.leaves.size() / kLeavesPerStep);
  exits.push_back({target, {condition, state, phi_values(frame, from, target), carried_}});
}

void Machine::run_block(Frame& frame, std::uint32_t block, Path path, std::vector<Exit>& exits) {
  state_ = std::move(path.state);
  condition_ = path.condition;
  carried_ = std::move(path.carried);
  for (const auto& [id, value] : carried_) set(id, value);
  std::size_t phi = 0;
  const std::vector<spirv::InstRef>& body = frame.function.blocks[block].body;
  for (const spirv::InstRef ref : body)
    if (module_[ref].op == spv::Op::OpPhi) {
      carried_.erase(module_[ref].result);
      set(module_[ref].result, std::move(path.phis.at(phi++)));
    }
  for (const spirv::InstRef ref : body) {
    if (ref == body.back()) break;
    if (module_[ref].op == spv::Op::OpPhi) continue;
    run_instruction(ref);
    carried_.erase(module_[ref].result);
    if (terms_.is_false(condition_)) break;  // a function that was called never returns
  }
  for (Exit& exit : call_exits_) exits.push_back(std::move(exit));
  call_exits_.clear();
  if (!terms_.is_false(condition_)) terminate(frame, block, body.back(), condition_, std::move(state_), exits);
}

void Machine::terminate(Frame& frame, std::uint32_t block, spirv::InstRef ref, Term condition, State state,
                        std::vector<Exit>& exits) {
  const auto operands = module_.operands(ref);
  switch (module_[ref].op) {
    case spv::Op::OpBranch: return branch(frame, block, operands[0].word, condition, state, exits);
    case spv::Op::OpBranchConditional: {
      const Term decision = scalar(operands[0].word);
      if (terms_.is_constant(decision) && loop_blocks_ != nullptr)
        for (const std::size_t side : {1u, 2u})
          if (!(*loop_blocks_)[frame.cfg.block_of(operands[side].word)]) constant_exit_ = true;
      branch(frame, block, operands[1].word, terms_.logical_and(condition, decision), state, exits);
      branch(frame, block, operands[2].word, terms_.logical_and(condition, terms_.logical_not(decision)), state, exits);
      return;
    }
    case spv::Op::OpSwitch: return switch_over(frame, block, ref, condition, state, exits);
    case spv::Op::OpEmitMeshTasksEXT:
      state_ = std::move(state);
      emit_mesh_tasks(ref);
      exits.push_back({kReturn, {condition, std::move(state_), {}, carried_}});
      return;
    case spv::Op::OpReturn: exits.push_back({kReturn, {condition, std::move(state), {}, carried_}}); return;
    case spv::Op::OpReturnValue:
      exits.push_back({kReturn, {condition, std::move(state), {value(operands[0].word)}, {}}});
      return;
    case spv::Op::OpKill:
    case spv::Op::OpTerminateInvocation: exits.push_back({kKill, {condition, std::move(state), {}, carried_}}); return;
    case spv::Op::OpUnreachable: return note_unreachable(condition);
    default: throw Unsupported{"a terminator without a reading"};
  }
}

void Machine::switch_over(Frame& frame, std::uint32_t block, spirv::InstRef ref, Term condition, const State& state,
                          std::vector<Exit>& exits) {
  const auto operands = module_.operands(ref);
  const Term selector = scalar(operands[0].word);
  if (width_of(terms_[selector].sort) > 32) throw Unsupported{"a switch over 64-bit values"};
  std::map<Id, Term> taken;  // label -> condition; labels may repeat
  Term none = terms_.boolean(true);
  for (std::size_t i = 2; i + 1 < operands.size(); i += 2) {
    const Term label = terms_.constant(terms_[selector].sort, operands[i].word);
    const Term parts[] = {selector, label};
    const Term equal = scalar_operation(spv::Op::OpIEqual, Sort::boolean, parts, false);
    const auto [found, added] = taken.emplace(operands[i + 1].word, equal);
    if (!added) found->second = terms_.logical_or(found->second, equal);
    none = terms_.logical_and(none, terms_.logical_not(equal));
  }
  const auto [found, added] = taken.emplace(operands[1].word, none);
  if (!added) found->second = terms_.logical_or(found->second, none);
  // In the order of the instruction, so that nothing depends on the numbers of labels.
  std::vector<Id> done;
  for (std::size_t i = 1; i < operands.size(); i += 2) {
    const Id label = operands[i].word;
    if (std::ranges::find(done, label) != done.end()) continue;
    done.push_back(label);
    branch(frame, block, label, terms_.logical_and(condition, taken.at(label)), state, exits);
  }
}

}  // namespace varylink::prove
