// Puts the instructions of a module, read one behind the other, where they belong.
#pragma once

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "spirv/ir/foreign.h"
#include "spirv/tools/module_walk.h"

namespace varylink::spirv {

// The largest id bound we accept. The SPIR-V universal limit is 0x3fffff; a bound beyond it only costs memory.
constexpr std::uint32_t kMaxBound = 0x400000u;

class DenseIds {
 public:
  Id of(Id written) {
    if (written == 0) return 0;
    const auto [entry, is_new] = dense_.try_emplace(written, bound_);
    if (is_new) ++bound_;
    return entry->second;
  }
  Id bound() const { return bound_; }

 private:
  std::unordered_map<Id, Id> dense_;
  Id bound_ = 1;
};

// Sorts a stream of instructions into sections and functions. Functions come last and are made of blocks (SPIR-V 2.4):
// an instruction that stands elsewhere is misplaced, and would be written in another place than it was read from.
class Reader {
 public:
  explicit Reader(Module& module) : module_(module) {}

  // `operands` as they are written, with ids of the words.
  void add(spv::Op op, Id type, Id result, std::span<Operand> operands) {
    if (dense_ids_)
      for (Operand& operand : operands)
        if (operand.is_id) operand.word = dense_ids_->of(operand.word);
    const InstRef inst = module_.create(op, id_of(type), id_of(result), operands);
    if (in_function_)
      add_to_function(inst, op);
    else if (op == spv::Op::OpFunction)
      start_function(inst);
    else if (is_debug_line(op))
      pending_.push_back(inst);
    else if (module_.functions.empty() || op == spv::Op::OpExtInst)  // non-semantic ones may stand between functions
      add_to_section(inst, section_of(op));
    else
      found_misplaced_ = true;
  }

  // `next` is the known instruction behind it.
  void add(const ForeignInst& foreign, spv::Op next) {
    const InstRef inst = module_.create(static_cast<spv::Op>(foreign.opcode | kForeignMark), foreign.type,
                                        foreign.result, foreign.operands);
    if (in_function_ && block_open_)
      module_.functions.back().blocks.back().body.push_back(inst);
    else if (!in_function_ && module_.functions.empty())
      add_to_section(inst, section_in_front_of(next, static_cast<spv::Op>(foreign.opcode)));
    else
      found_misplaced_ = true;
  }

  bool found_misplaced() const { return found_misplaced_; }
  bool found_out_of_order() const { return found_out_of_order_; }
  // `bound` and the number of words of the module that is read.
  void start(std::uint32_t bound, std::size_t word_count, Ids ids) {
    if (ids == Ids::dense && is_sparse(bound, word_count))
      dense_ids_.emplace();
    else
      module_.bound = bound;
  }
  void finish() {
    flush_pending(module_.types);
    if (dense_ids_) module_.bound = dense_ids_->bound();
  }

 private:
  Id id_of(Id written) { return dense_ids_ ? dense_ids_->of(written) : written; }

  void start_function(InstRef inst) {
    Function function;
    function.result = module_[inst].result;
    function.head = std::move(pending_);
    pending_.clear();
    function.head.push_back(inst);
    module_.functions.push_back(std::move(function));
    in_function_ = true;
    block_open_ = false;
  }

  void add_to_function(InstRef inst, spv::Op op) {
    Function& function = module_.functions.back();
    if (op == spv::Op::OpFunctionEnd) {
      flush_pending(function.tail);
      function.tail.push_back(inst);
      in_function_ = false;
    } else if (op == spv::Op::OpLabel) {
      Block block;
      block.label = module_[inst].result;
      flush_pending(block.head);
      block.head.push_back(inst);
      function.blocks.push_back(std::move(block));
      block_open_ = true;
    } else if (block_open_) {
      function.blocks.back().body.push_back(inst);
      if (is_terminator(op)) block_open_ = false;
    } else if (is_debug_line(op) || op == spv::Op::OpExtInst) {
      // spirv-opt ends the scope of a function in front of OpFunctionEnd, and a line in front of the first label.
      pending_.push_back(inst);
    } else {
      flush_pending(function.head);
      function.head.push_back(inst);
      found_misplaced_ = found_misplaced_ || op != spv::Op::OpFunctionParameter || !function.blocks.empty();
    }
  }

  // An opcode that is not known says nothing; what stands around it does. In front of all names and decorations it may
  // be an execution mode.
  Section section_in_front_of(spv::Op next, spv::Op op) const {
    const Section own = section_of(op), following = section_of(next);
    if (own != &Module::types) return own;
    const std::ptrdiff_t names = place_of(&Module::debug_strings);
    return last_section_ < names && place_of(following) >= names ? &Module::execution_modes : following;
  }

  static std::ptrdiff_t place_of(Section section) {
    const auto all = sections();
    return std::find(all.begin(), all.end(), section) - all.begin();
  }

  void add_to_section(InstRef inst, Section section) {
    if (module_[inst].op != spv::Op::OpExtInst) {  // non-semantic ones may stand in front of what belongs before them
      const std::ptrdiff_t place = place_of(section);
      found_out_of_order_ = found_out_of_order_ || place < last_section_;
      last_section_ = std::max(last_section_, place);
    }
    flush_pending(module_.*section);
    (module_.*section).push_back(inst);
  }

  void flush_pending(std::vector<InstRef>& list) {
    list.insert(list.end(), pending_.begin(), pending_.end());
    pending_.clear();
  }

  // An instruction that has a result takes two words at least: compilers leave no module like this. Small tables are
  // not worth that ids change.
  static bool is_sparse(std::uint32_t bound, std::size_t word_count) { return bound > 0x10000u && bound > word_count; }
  static bool is_debug_line(spv::Op op) { return op == spv::Op::OpLine || op == spv::Op::OpNoLine; }

  Module& module_;
  std::optional<DenseIds> dense_ids_;
  std::vector<InstRef> pending_;  // debug lines whose place the next instruction decides
  bool in_function_ = false;
  bool block_open_ = false;
  bool found_misplaced_ = false;
  bool found_out_of_order_ = false;
  std::ptrdiff_t last_section_ = 0;  // that anything stood in
};

}  // namespace varylink::spirv
