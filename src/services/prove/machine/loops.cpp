// Loops of the machine: run where the trip count is a constant, else summarized.
#include <algorithm>

#include "prove/machine/machine.h"
#include "prove/terms/loop_value.h"

namespace varylink::prove {
namespace {

constexpr unsigned kMostIterations = 1024;

}  // namespace

std::vector<Exit> Machine::run_loop(Frame& frame, std::uint32_t header, Path path) {
  std::vector<bool> inside(frame.function.blocks.size(), false);
  for (const std::uint32_t block : frame.loop_of[header]) inside[block] = true;
  const std::vector<bool>* outer = loop_blocks_;
  const bool outer_exit = constant_exit_;
  loop_blocks_ = &inside;
  std::optional<std::vector<Exit>> exits = unroll(frame, header, path, inside);
  if (summarizing_++ == 0) loop_condition_ = path.condition;
  loop_conditions_.push_back(path.condition);
  if (!exits) exits = summarize(frame, header, path, inside);
  loop_conditions_.pop_back();
  --summarizing_;
  loop_blocks_ = outer;
  constant_exit_ = outer_exit;
  return std::move(*exits);
}

Machine::Noted Machine::noted() const {
  return {emitted_.size(), loops_inside_.size(), at_barrier_, read_of_others_, accesses_, quad_conditions_};
}

// What was noted in rounds that are run once more.
void Machine::forget_since(const Noted& before) {
  emitted_.resize(before.emitted);
  loops_inside_.resize(before.loops);
  at_barrier_ = before.at_barrier;
  read_of_others_ = before.reads;
  accesses_ = before.accesses;
  quad_conditions_ = before.quads;
}

// None if nothing says that the loop ends after a constant number of iterations.
std::optional<std::vector<Exit>> Machine::unroll(Frame& frame, std::uint32_t header, const Path& path,
                                                 const std::vector<bool>& inside) {
  std::vector<Exit> result;
  const std::vector<Id> used = values_used_outside(frame, inside);
  const Noted before = noted();
  Path next = path;
  for (unsigned iteration = 0; iteration < kMostIterations; ++iteration) {
    constant_exit_ = false;
    std::vector<Exit> exits = run_region(frame, header, std::move(next), inside, header);
    std::vector<Path> back;
    for (Exit& exit : exits) {
      if (exit.target == header) {
        back.push_back(std::move(exit.path));
        continue;
      }
      for (const Id id : used) {
        if (known_[id] && values_[id].pointer) throw Unsupported{"a pointer out of a loop"};
        if (known_[id]) exit.path.carried[id] = values_[id];
      }
      result.push_back(std::move(exit));
    }
    if (back.empty()) return result;
    if (!constant_exit_ || terms_.exhausted()) break;
    next = merge(std::move(back));
  }
  forget_since(before);
  return std::nullopt;
}

std::vector<Id> Machine::values_used_outside(const Frame& frame, const std::vector<bool>& inside) {
  std::set<Id> defined;
  for (std::size_t block = 0; block < inside.size(); ++block)
    if (inside[block])
      for (const spirv::InstRef ref : frame.function.blocks[block].body)
        if (module_[ref].result != 0) defined.insert(module_[ref].result);
  std::set<Id> used;
  for (std::size_t block = 0; block < inside.size(); ++block)
    if (!inside[block])
      for (const spirv::InstRef ref : frame.function.blocks[block].body)
        for (const spirv::Operand& operand : module_.operands(ref))
          if (operand.is_id && defined.contains(operand.word)) used.insert(operand.word);
  return {used.begin(), used.end()};
}

// The linked pipeline has loops of the original, which end, with as many rounds and where the original gets to them. A
// loop inside of this one is what it is in a round of this one; `first_inside` of loops_inside_ is the first of them.
void Machine::note_loop(LoopValues& after, Term rounds, Term condition, std::size_t first_inside) {
  const auto loop = [&](Term reached) { return terms_.apply(Sort::handle, "loop with rounds", {rounds, reached}); };
  for (std::size_t i = first_inside; i < loops_inside_.size(); ++i) loops_inside_[i] = after(loops_inside_[i]);
  if (summarizing_ > 1) return loops_inside_.push_back(loop(condition));
  for (const Term inside : loops_inside_) note(inside, condition);
  note(loop(terms_.boolean(true)), condition);
  loops_inside_.clear();
}

// One iteration on parameters in place of everything that it may change.
std::vector<Exit> Machine::summarize(Frame& frame, std::uint32_t header, const Path& path,
                                     const std::vector<bool>& inside) {
  const std::size_t leaves = path.state.leaves.size();
  std::size_t of_phis = 0;
  for (const Value& phi : path.phis) of_phis += phi.leaves.size();
  std::vector<bool> changes(leaves + of_phis, true);
  const Noted before = noted();
  const std::size_t first_inside = loops_inside_.size();
  std::vector<Exit> exits;
  std::vector<LoopVariable> variables;
  Path back;
  // What an iteration leaves as it is, it finds as it was before the loop; that may show more such variables.
  for (bool again = true; again;) {
    again = false;
    forget_since(before);
    Path start = path;
    start.condition = terms_.boolean(true);
    variables.clear();
    const auto parameter = [&](Term& term) {
      const std::uint64_t number = next_parameter_++;
      const Term symbol = terms_.symbol(terms_[term].sort, "iteration", {&number, 1}, false);
      variables.push_back({symbol, term, kNoTerm});
      term = symbol;
    };
    std::size_t place = 0;
    const auto begin = [&](Term& term) {
      if (changes[place++]) parameter(term);
    };
    for (Term& leaf : start.state.leaves) begin(leaf);
    for (Value& phi : start.phis) {
      if (phi.pointer) throw Unsupported{"a pointer that changes in a loop"};
      for (Term& term : phi.leaves) begin(term);
    }
    Term round = terms_.integer(0);
    parameter(round);
    rounds_.push_back(round);
    exits = run_region(frame, header, std::move(start), inside, header);
    rounds_.pop_back();
    std::vector<Path> backs;
    for (Exit& exit : exits)
      if (exit.target == header) backs.push_back(std::move(exit.path));
    std::erase_if(exits, [&](const Exit& exit) { return exit.target == header; });
    if (backs.empty()) {  // it never repeats: the parameters are what they were
      forget_since(before);
      Path once = path;
      return run_region(frame, header, std::move(once), inside, header);
    }
    back = merge(std::move(backs));
    std::size_t variable = 0;
    place = 0;
    const auto end = [&](Term term) {
      const std::size_t at = place++;
      if (!changes[at]) return;
      variables[variable].next = term;
      changes[at] = term != variables[variable++].parameter;
      again = again || !changes[at];
    };
    for (const Term leaf : back.state.leaves) end(leaf);
    for (const Value& phi : back.phis)
      for (const Term term : phi.leaves) end(term);
    variables.back().next = terms_.add(round, terms_.integer(1));
  }

  LoopValues after(terms_, variables, back.condition);
  note_loop(after, after(variables.back().parameter), path.condition, first_inside);
  std::map<std::uint32_t, std::vector<Path>> by_target;
  for (Exit& exit : exits) by_target[exit.target].push_back(std::move(exit.path));
  const bool one_way = by_target.size() == 1;
  std::vector<Exit> result;
  for (auto& [target, paths] : by_target) {
    Exit exit{target, merge(std::move(paths))};
    for (Term& leaf : exit.path.state.leaves) leaf = after(leaf);
    for (Value& phi : exit.path.phis) {
      if (phi.pointer) throw Unsupported{"a pointer out of a loop"};
      for (Term& term : phi.leaves) term = after(term);
    }
    for (auto& [id, value] : exit.path.carried)
      for (Term& term : value.leaves) term = after(term);
    // Loops end: where all ways out lead to one place, it is reached.
    const Term left = one_way ? terms_.boolean(true) : after(exit.path.condition);
    exit.path.condition = terms_.logical_and(path.condition, left);
    result.push_back(std::move(exit));
  }
  for (const Id id : values_used_outside(frame, inside)) {
    if (values_[id].pointer) throw Unsupported{"a pointer out of a loop"};
    for (Term& term : values_[id].leaves) term = after(term);
  }
  return result;
}

}  // namespace varylink::prove
