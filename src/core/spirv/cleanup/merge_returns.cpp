#include <algorithm>
#include <map>
#include <optional>

#include "spirv/cleanup/carry_values.h"
#include "spirv/cleanup/clean_ups.h"
#include "spirv/cleanup/returning_constructs.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/globals.h"

namespace varylink::spirv {
namespace {

using spv::Op;

// Rule: what follows a selection that returns nests in it, and SPIR-V's universal limits let code nest only so
// deep.
constexpr std::size_t kMostReturns = 64;
constexpr std::size_t kMostAttempts = 64;  // of a module, each without one more function that is not understood

bool asks_not_to_be_inlined(const Module& module, const Function& function) {
  constexpr auto kDontInline = static_cast<std::uint32_t>(spv::FunctionControlMask::DontInline);
  return std::any_of(function.head.begin(), function.head.end(), [&](InstRef inst) {
    return module[inst].op == Op::OpFunction && (module.operand(inst, 0).word & kDontInline) != 0;
  });
}

class ReturnMerger {
 public:
  ReturnMerger(Module& module, Function& function, Globals& globals)
      : module_(module), function_(function), constructs_(module, function), globals_(globals) {}

  // False if the function is not understood; the module is of no use then.
  bool run() {
    if (!constructs_.are_understood() || !make_variables()) return false;
    const std::size_t count = function_.blocks.size();
    visited_.assign(count, false);
    fronts_.resize(count);
    leave_loops_and_switches();
    Block end = new_block();
    if (!follow(0, {end.label, Cfg::kNone}) || !understood_) return false;
    write_return(end);
    added_.push_back(std::move(end));
    assemble();
    return carry_values_in_variables(module_, function_, globals_);
  }

 private:
  // How code that follows each other is left.
  struct Way {
    Id out = 0;                      // where what returned goes, and what got to the end
    std::uint32_t end = Cfg::kNone;  // of the selection around it; kNone: of the function
  };

  bool make_variables() {
    bool has_meeting = false;
    for (std::uint32_t block = 0; block < function_.blocks.size(); ++block) {
      has_meeting = has_meeting || constructs_.meets(block);
      const InstRef end = function_.blocks[block].body.back();
      if (module_[end].op == Op::OpReturnValue) type_ = module_.type_of(module_.operand(end, 0).word);
    }
    if (type_ != 0 && !is_plain_type(module_, type_)) return false;
    if (type_ != 0) result_ = new_variable(type_);
    if (has_meeting) has_returned_ = new_variable(globals_.bool_type());
    return true;
  }

  Id new_variable(Id type) {
    const auto storage = spv::StorageClass::Function;
    const Id pointer = globals_.pointer_type(storage, type);
    variables_.push_back(
        module_.create(Op::OpVariable, pointer, module_.new_id(), {lit(static_cast<std::uint32_t>(storage))}));
    return module_[variables_.back()].result;
  }

  Block new_block() {
    const Id label = module_.new_id();
    return {label, {module_.create(Op::OpLabel, 0, label, {})}, {}};
  }

  InstRef new_store(Id variable, Id value) { return module_.create(Op::OpStore, 0, 0, {id(variable), id(value)}); }

  InstRef new_branch(Id label) { return module_.create(Op::OpBranch, 0, 0, {id(label)}); }

  InstRef new_load(Id type, Id variable) { return module_.create(Op::OpLoad, type, module_.new_id(), {id(variable)}); }

  void write_return(Block& end) {
    if (result_ == 0) return end.body.push_back(module_.create(Op::OpReturn, 0, 0, {}));
    end.body.push_back(new_load(type_, result_));
    end.body.push_back(module_.create(Op::OpReturnValue, 0, 0, {id(module_[end.body.back()].result)}));
  }

  // In front of the branch and what belongs to it.
  void append(std::uint32_t place, InstRef inst) {
    Block& block = function_.blocks[place];
    block.body.insert(block.body.end() - (merge_instruction(module_, block) ? 2 : 1), inst);
  }

  // What returned goes there.
  void leave(std::uint32_t block, Id out) {
    const InstRef back = function_.blocks[block].body.back();
    if (result_ != 0) append(block, new_store(result_, module_.operand(back, 0).word));
    if (has_returned_ != 0) append(block, new_store(has_returned_, globals_.bool_constant(true)));
    module_.rewrite(back, Op::OpBranch, {id(out)});
  }

  // A new block in place of the end of a construct, of which nothing else gets to the old one.
  Block replace_end(std::uint32_t header) {
    Block end = new_block();
    module_.set_operand(merge_instruction(module_, function_.blocks[header]), 0, id(end.label));
    return end;
  }

  // What returns inside of loops and switches leaves one after the other, from the inside out.
  void leave_loops_and_switches() {
    const auto& tree = constructs_.cfg().dominator_tree();
    outs_.assign(function_.blocks.size(), 0);
    open_.resize(function_.blocks.size());
    for (const std::uint32_t header : tree) {
      if (!constructs_.returns(header) || !constructs_.can_be_left(header)) continue;
      if (!constructs_.goes_on(header)) open_[header] = replace_end(header);
      outs_[header] = open_[header] ? open_[header]->label : function_.blocks[constructs_.end_of(header)].label;
    }
    for (auto place = tree.rbegin(); place != tree.rend(); ++place) {
      const std::uint32_t around = constructs_.around(*place);
      if (around == Cfg::kNone || outs_[around] == 0) continue;
      if (constructs_.is_way_back(*place)) leave(*place, outs_[around]);
      if (outs_[*place] == 0) continue;
      if (open_[*place])
        close(*open_[*place], outs_[around]);
      else
        divide(constructs_.end_of(*place), outs_[around]);
    }
  }

  void close(Block& end, Id out) {
    end.body.push_back(new_branch(out));
    added_.push_back(std::move(end));
  }

  // Where what returned meets what did not, the former goes on to `out`. The rest of the block is the end of that
  // selection, if it has no other.
  void divide(std::uint32_t place, Id out, Id end = 0) {
    Block& block = function_.blocks[place];
    Block front = new_block();
    std::swap(front.label, block.label);
    std::swap(front.head, block.head);
    moved_[front.label] = block.label;
    for (const InstRef inst : block.body)
      if (module_[inst].op == Op::OpPhi) front.body.push_back(inst);
    std::erase_if(block.body, [&](InstRef inst) { return module_[inst].op == Op::OpPhi; });
    for (const InstRef phi : front.body) make_load(phi);
    front.body.push_back(new_load(globals_.bool_type(), has_returned_));
    const Id condition = module_[front.body.back()].result;
    front.body.push_back(module_.create(Op::OpSelectionMerge, 0, 0, {id(end == 0 ? block.label : end), lit(0)}));
    front.body.push_back(module_.create(Op::OpBranchConditional, 0, 0, {id(condition), id(out), id(block.label)}));
    fronts_[place] = std::move(front);
  }

  // Other blocks lead to the phi now.
  void make_load(InstRef phi) {
    if (!is_plain_type(module_, module_[phi].type)) {
      understood_ = false;
      return;
    }
    const Id variable = new_variable(module_[phi].type);
    const auto operands = module_.operands(phi);
    const std::vector<Operand> values(operands.begin(), operands.end());
    for (std::size_t i = 0; i + 1 < values.size(); i += 2)
      append(constructs_.cfg().block_of(values[i + 1].word), new_store(variable, values[i].word));
    module_.rewrite(phi, Op::OpLoad, {id(variable)});
  }

  // Walks along what follows the block, up to the end of the selection around it.
  bool follow(std::uint32_t block, Way way) {
    std::vector<Block> ends;  // that stand in each other, from the outside in
    while (block != way.end && block != Cfg::kNone) {
      if (visited_[block]) return false;
      visited_[block] = true;
      const std::optional<std::uint32_t> next =
          constructs_.is_header(block) ? pass_construct(block, way, ends) : pass_block(block, way);
      if (!next) return false;
      block = *next;
    }
    added_.insert(added_.end(), std::make_move_iterator(ends.rbegin()), std::make_move_iterator(ends.rend()));
    return true;
  }

  // Gives what to go on with, kNone if that is nothing; nullopt if the block is not understood.
  std::optional<std::uint32_t> pass_block(std::uint32_t place, const Way& way) {
    const InstRef branch = function_.blocks[place].body.back();
    switch (module_[branch].op) {
      case Op::OpBranch: {
        const std::uint32_t next = constructs_.cfg().block_of(module_.operand(branch, 0).word);
        if (next == way.end) module_.set_operand(branch, 0, id(way.out));
        return next;
      }
      case Op::OpReturn:
      case Op::OpReturnValue: leave(place, way.out); return Cfg::kNone;
      case Op::OpBranchConditional:
      case Op::OpSwitch: return std::nullopt;
      default: return Cfg::kNone;
    }
  }

  std::optional<std::uint32_t> pass_construct(std::uint32_t header, Way& way, std::vector<Block>& ends) {
    const std::uint32_t end = constructs_.goes_on(header) ? constructs_.end_of(header) : Cfg::kNone;
    if (!constructs_.returns(header)) return end;
    const bool meets = end != Cfg::kNone && constructs_.meets(end);
    if (meets && !constructs_.can_be_left(header) && !follow_arms(header, {function_.blocks[end].label, end}))
      return std::nullopt;
    Block out = meets ? new_block() : open_[header] ? std::move(*open_[header]) : replace_end(header);
    out.body.push_back(new_branch(way.out));
    if (meets) divide(end, out.label, out.label);
    way.out = out.label;
    ends.push_back(std::move(out));
    if (meets || constructs_.can_be_left(header)) return end;
    return follow_arms(header, way) ? std::optional(Cfg::kNone) : std::nullopt;
  }

  bool follow_arms(std::uint32_t header, const Way& way) {
    const InstRef branch = function_.blocks[header].body.back();
    for (const std::uint32_t arm : {1u, 2u}) {
      const std::uint32_t block = constructs_.cfg().block_of(module_.operand(branch, arm).word);
      if (block == way.end && block != constructs_.end_of(header)) return false;
      if (!follow(block, way)) return false;
    }
    return true;
  }

  void assemble() {
    std::vector<Block> blocks;
    for (std::uint32_t place = 0; place < function_.blocks.size(); ++place) {
      if (is_replaced(place)) {
        for (const auto* list : {&function_.blocks[place].head, &function_.blocks[place].body})
          for (const InstRef inst : *list) module_.kill(inst);
        continue;
      }
      if (fronts_[place]) blocks.push_back(std::move(*fronts_[place]));
      blocks.push_back(std::move(function_.blocks[place]));
    }
    blocks.insert(blocks.end(), std::make_move_iterator(added_.begin()), std::make_move_iterator(added_.end()));
    function_.blocks = std::move(blocks);
    insert_variables();
    rename_predecessors();
  }

  bool is_replaced(std::uint32_t place) const {
    if (constructs_.cfg().reachable(place)) return false;
    if (module_[function_.blocks[place].body.back()].op != Op::OpUnreachable) return false;
    for (std::uint32_t header = 0; header < fronts_.size(); ++header)
      if (constructs_.end_of(header) == place && constructs_.returns(header)) return true;
    return false;
  }

  void insert_variables() {
    auto& start = function_.blocks.front().body;
    if (has_returned_ != 0) {
      const auto code =
          std::find_if(start.begin(), start.end(), [&](InstRef inst) { return module_[inst].op != Op::OpVariable; });
      start.insert(code, new_store(has_returned_, globals_.bool_constant(false)));
    }
    start.insert(start.begin(), variables_.begin(), variables_.end());
  }

  // The end of what was divided leads to where the block led.
  void rename_predecessors() {
    for (const Block& block : function_.blocks)
      for (const InstRef inst : block.body) {
        if (module_[inst].op != Op::OpPhi) continue;
        for (std::uint32_t i = 1; i < module_.operands(inst).size(); i += 2)
          if (const auto found = moved_.find(module_.operand(inst, i).word); found != moved_.end())
            module_.set_operand(inst, i, id(found->second));
      }
  }

  Module& module_;
  Function& function_;
  const ReturningConstructs constructs_;
  Globals& globals_;
  bool understood_ = true;

  Id type_ = 0, result_ = 0;  // of values, and the variable with the one that returned; 0: none
  Id has_returned_ = 0;       // a variable; 0 if what returned meets nothing else
  std::vector<InstRef> variables_;

  std::vector<bool> visited_;                 // by block
  std::vector<std::optional<Block>> fronts_;  // by block: what of it came to stand in front
  std::map<Id, Id> moved_;                    // labels of fronts, and of what stands behind
  std::vector<Block> added_;                  // in the order of dominators
  // By header of a loop or switch that returns: where that leads, and the block if that is a new one.
  std::vector<Id> outs_;
  std::vector<std::optional<Block>> open_;
};

bool stays(const Module& module, const std::vector<EntryPoint>& entries, const Function& function) {
  return function.blocks.empty() || asks_not_to_be_inlined(module, function) ||
         std::any_of(entries.begin(), entries.end(),
                     [&](const EntryPoint& entry) { return entry.function == function.result; });
}

// The first of the functions that is not understood; the module is of no use then.
std::vector<std::size_t>::iterator merge_until_failure(Module& module, std::vector<std::size_t>& functions) {
  Globals globals(module);
  return std::find_if_not(functions.begin(), functions.end(), [&](std::size_t function) {
    return ReturnMerger(module, module.functions[function], globals).run();
  });
}

}  // namespace

std::size_t count_returns(const Module& module, const Function& function) {
  return static_cast<std::size_t>(
      std::count_if(function.blocks.begin(), function.blocks.end(),
                    [&](const Block& block) { return is_return(module[block.body.back()].op); }));
}

void merge_returns(Module& module) {
  const std::vector<EntryPoint> entries = module.entries();
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    const Function& function = module.functions[i];
    const std::size_t returns = stays(module, entries, function) ? 0 : count_returns(module, function);
    if (returns > 1 && returns <= kMostReturns) wanted.push_back(i);
  }
  if (wanted.empty()) return;
  remove_unreachable_blocks(module);
  for (std::size_t attempt = 0; attempt < kMostAttempts && !wanted.empty(); ++attempt) {
    Module merged = module;
    const auto failed = merge_until_failure(merged, wanted);
    if (failed == wanted.end()) {
      module = std::move(merged);
      module.sweep();
      return;
    }
    wanted.erase(failed);
  }
}

}  // namespace varylink::spirv
