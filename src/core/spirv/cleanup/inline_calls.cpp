#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "spirv/cleanup/call_plan.h"
#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/annotation_copies.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/debug_records.h"
#include "spirv/ir/replaced_ids.h"
#include "spirv/ir/value_decorations.h"

namespace varylink::spirv {
namespace {

using spv::Op;

// Must be used in the block where they are (SPIR-V, OpSampledImage).
bool belongs_to_block(Op op) { return op == Op::OpSampledImage || op == Op::OpImage; }

class Inliner {
 public:
  Inliner(Module& module, CallPlan plan, SourcePlaces& places)
      : module_(module), places_(places), plan_(std::move(plan)), decorations_(module), map_(module.bound, 0) {}

  void run() {
    for (std::size_t i = 0; i < module_.functions.size(); ++i) place_[module_.functions[i].result] = i;
    for (const std::size_t place : plan_.order) inline_into(module_.functions[place]);
    for (std::size_t i = 0; i < module_.functions.size(); ++i)
      if (!plan_.stays[i]) kill(module_.functions[i]);
    std::erase_if(module_.functions, [](const Function& function) { return function.result == 0; });
    replaced_.apply(module_);
    if (has_split_) keep_images_in_their_blocks();
    module_.sweep();
    if (has_unreachable_) remove_unreachable_blocks(module_);
  }

 private:
  void inline_into(Function& function) {
    const auto calls = [&](const Block& block) {
      return std::any_of(block.body.begin(), block.body.end(), [&](InstRef inst) { return is_written_out(inst); });
    };
    if (std::none_of(function.blocks.begin(), function.blocks.end(), calls)) return;
    std::vector<Block> old_blocks = std::move(function.blocks);
    std::vector<InstRef> phis;
    std::unordered_map<Id, Id> last_label;  // of what became of a block
    blocks_.clear();
    variables_.clear();
    for (Block& block : old_blocks) {
      for (const InstRef inst : block.body)
        if (module_[inst].op == Op::OpPhi) phis.push_back(inst);
      const Id label = block.label;
      if (calls(block)) {
        write_out(takes_blocks(block) ? divide_header(block) : block);
        if (blocks_.back().label != label) last_label[label] = blocks_.back().label;
      } else {
        blocks_.push_back(std::move(block));
      }
    }
    function.blocks = std::move(blocks_);
    auto& start = function.blocks.front().body;
    start.insert(start.begin(), variables_.begin(), variables_.end());
    if (!last_label.empty()) rename_predecessors(phis, last_label);
  }

  bool is_written_out(InstRef inst) const {
    return module_[inst].op == Op::OpFunctionCall && plan_.written_out.count(inst) != 0;
  }

  // The header of a loop into which more than one block would go.
  bool takes_blocks(const Block& block) const {
    return loop_merge(module_, block) && std::any_of(block.body.begin(), block.body.end(), [&](InstRef inst) {
             return is_written_out(inst) &&
                    module_.functions[place_.at(module_.operand(inst, 0).word)].blocks.size() > 1;
           });
  }

  // Appends the header of a loop without its code, and gives the block with that.
  Block divide_header(const Block& block) {
    const InstRef merge = loop_merge(module_, block);
    Block header = {block.label, block.head, {}}, code = new_block();
    for (const InstRef inst : block.body)
      if (inst != merge) (module_[inst].op == Op::OpPhi ? header : code).body.push_back(inst);
    if (module_.operand(merge, 1).word == block.label) module_.set_operand(merge, 1, id(code.label));
    header.body.insert(header.body.end(), {merge, module_.create(Op::OpBranch, 0, 0, {id(code.label)})});
    blocks_.push_back(std::move(header));
    return code;
  }

  Block new_block() {
    const Id label = module_.new_id();
    return {label, {module_.create(Op::OpLabel, 0, label, {})}, {}};
  }

  // Of the phis that the function had before; those that came with calls know their predecessors.
  void rename_predecessors(const std::vector<InstRef>& phis, const std::unordered_map<Id, Id>& last_label) {
    for (const InstRef phi : phis)
      for (std::uint32_t i = 1; i < module_.operands(phi).size(); i += 2)
        if (const auto found = last_label.find(module_.operand(phi, i).word); found != last_label.end())
          module_.set_operand(phi, i, id(found->second));
  }

  // Appends the block with its calls written out; the last one that is added ends as the block did.
  void write_out(const Block& block) {
    blocks_.push_back({block.label, block.head, {}});
    for (const InstRef inst : block.body) {
      if (is_written_out(inst))
        write_call(inst);
      else
        blocks_.back().body.push_back(inst);
    }
  }

  void write_call(InstRef call) {
    const std::size_t place = place_.at(module_.operand(call, 0).word);
    Function& callee = module_.functions[place];
    const bool is_last = --plan_.copies[place] == 0 && !plan_.stays[place];
    map_parameters(call, callee, is_last);
    if (!is_last) map_results(callee);
    std::optional<Block> end;  // goes on behind the call
    InstRef back;
    for (std::size_t b = 0; b < callee.blocks.size(); ++b) {
      Block block = b == 0 ? std::move(blocks_.back()) : start_block(callee.blocks[b], is_last);
      if (b == 0) blocks_.pop_back();
      has_split_ = has_split_ || b != 0;
      const std::vector<InstRef>& body = callee.blocks[b].body;
      for (const InstRef inst : body)
        if (!is_return(module_[inst].op) && !defines_function(inst)) write(call, block, inst, is_last);
      if (is_return(module_[body.back()].op)) {
        back = body.back();
        end = std::move(block);
      } else {
        blocks_.push_back(std::move(block));
      }
    }
    if (!end) has_unreachable_ = true;
    blocks_.push_back(end ? std::move(*end) : new_block());
    write_result(call, back);
    if (is_last) {
      if (back) module_.kill(back);
      for (const InstRef inst : callee.blocks.front().head) module_.kill(inst);
      callee.blocks.clear();
    }
    for (const Id id : mapped_) map_[id] = 0;
    mapped_.clear();
  }

  void map(Id from, Id to) {
    if (from >= map_.size()) map_.resize(module_.bound, 0);
    map_[from] = to;
    mapped_.push_back(from);
  }

  Id mapped(Id value) const {
    value = replaced_.current(value);
    return value < map_.size() && map_[value] != 0 ? map_[value] : value;
  }

  // The first block of the callee becomes part of the one that calls. Of a body that is moved all uses are renamed in
  // the end: it may be moved on with its caller, through as many calls as are nested.
  void map_parameters(InstRef call, const Function& callee, bool is_last) {
    const auto stand_for = [&](Id from, Id to) { is_last ? replaced_.replace(from, to, module_) : map(from, to); };
    std::uint32_t argument = 1;
    for (const InstRef inst : callee.head) {
      if (module_[inst].op != Op::OpFunctionParameter) continue;
      const Id value = replaced_.current(module_.operand(call, argument++).word);
      decorations_.pass_on(module_, value, module_[inst].result);
      stand_for(module_[inst].result, value);
    }
    stand_for(callee.blocks.front().label, blocks_.back().label);
  }

  void map_results(const Function& callee) {
    for (const Block& block : callee.blocks) {
      if (&block != &callee.blocks.front()) map(block.label, module_.new_id());
      for (const InstRef inst : block.body)
        if (module_[inst].result != 0) map(module_[inst].result, module_.new_id());
    }
  }

  Block start_block(const Block& block, bool is_last) {
    if (is_last) return {block.label, block.head, {}};
    const Id label = mapped(block.label);
    return {label, {module_.create(Op::OpLabel, 0, label, {})}, {}};
  }

  // What it says holds of a function.
  bool defines_function(InstRef inst) const {
    return debug_number(module_, inst) == NonSemanticShaderDebugInfo100DebugFunctionDefinition;
  }

  void write(InstRef call, Block& block, InstRef inst, bool is_last) {
    const InstRef original = inst;
    const Op op = module_[inst].op;
    if (!is_last) inst = copy(inst);
    places_.inline_at(module_, original, inst, call);
    if (op == Op::OpExtInst) {
      if (is_last) rename_operands(inst);  // keep_declaration asks what is declared
      if (!keep_declaration(module_, inst)) return;
    }
    if (op != Op::OpVariable) return block.body.push_back(inst);
    variables_.push_back(inst);
    if (module_.operands(inst).size() < 2) return;
    const Operand storage = module_.operand(inst, 0), initializer = module_.operand(inst, 1);
    module_.rewrite(inst, Op::OpVariable, {storage});
    block.body.push_back(module_.create(Op::OpStore, 0, 0, {id(module_[inst].result), initializer}));
  }

  InstRef rename_operands(InstRef inst) {
    for (std::uint32_t i = 0; i < module_.operands(inst).size(); ++i)
      if (const Operand operand = module_.operand(inst, i); operand.is_id)
        module_.set_operand(inst, i, id(mapped(operand.word)));
    return inst;
  }

  InstRef copy(InstRef inst) {
    const Inst record = module_[inst];
    const Id result = record.result == 0 ? 0 : mapped(record.result);
    const auto operands = module_.operands(inst);
    const std::vector<Operand> copied(operands.begin(), operands.end());
    if (result != 0) copy_annotations(record.result, result);
    return rename_operands(module_.create(record.op, record.type, result, copied));
  }

  void copy_annotations(Id from, Id to) {
    names_.copy(module_, from, to);
    decorations_of_.copy(module_, from, to);
  }

  // `back` is none where the function never returns: nothing gets to what stands behind the call.
  void write_result(InstRef call, InstRef back) {
    const Id result = module_[call].result;
    if (module_.def_op(module_[call].type) == Op::OpTypeVoid) return module_.kill(call);
    if (!back) {
      module_.rewrite(call, Op::OpUndef, {});
      return blocks_.back().body.push_back(call);
    }
    const Id value = mapped(module_.operand(back, 0).word);
    if (!decorations_.may_stand_for(value, result)) {
      module_.rewrite(call, Op::OpCopyObject, {id(value)});
      return blocks_.back().body.push_back(call);
    }
    decorations_.pass_on(module_, value, result);
    replaced_.replace(result, value, module_);
    module_.kill(call);
  }

  void kill(Function& function) {
    for (const auto* list : {&function.head, &function.tail})
      for (const InstRef inst : *list) module_.kill(inst);
    for (const Block& block : function.blocks)
      for (const auto* list : {&block.head, &block.body})
        for (const InstRef inst : *list) module_.kill(inst);
    function = {};
  }

  // Arguments and what stood in front of a call may be used in other blocks now.
  void keep_images_in_their_blocks() {
    for (Function& function : module_.functions)
      for (Block& block : function.blocks) {
        std::unordered_map<Id, Id> here;  // what is in the block, or was copied into it
        std::vector<InstRef> body;
        for (const InstRef inst : block.body) {
          if (module_[inst].op != Op::OpPhi) use_images_here(inst, here, body);
          if (belongs_to_block(module_[inst].op)) here[module_[inst].result] = module_[inst].result;
          body.push_back(inst);
        }
        block.body = std::move(body);
      }
  }

  void use_images_here(InstRef inst, std::unordered_map<Id, Id>& here, std::vector<InstRef>& body) {
    for (std::uint32_t i = 0; i < module_.operands(inst).size(); ++i) {
      const Operand operand = module_.operand(inst, i);
      if (!operand.is_id || !belongs_to_block(module_.def_op(operand.word))) continue;
      if (here.count(operand.word) == 0) {
        const InstRef def = module_.def(operand.word);
        const auto operands = module_.operands(def);
        const std::vector<Operand> copied(operands.begin(), operands.end());
        const InstRef duplicate = module_.create(module_[def].op, module_[def].type, module_.new_id(), copied);
        copy_annotations(operand.word, module_[duplicate].result);
        use_images_here(duplicate, here, body);
        body.push_back(duplicate);
        here[operand.word] = module_[duplicate].result;
      }
      module_.set_operand(inst, i, id(here.at(operand.word)));
    }
  }

  Module& module_;
  SourcePlaces& places_;
  CallPlan plan_;
  ValueDecorations decorations_;
  std::unordered_map<Id, std::size_t> place_;  // of functions in Module::functions
  ReplacedIds replaced_;                       // calls by results
  std::vector<Id> map_;                        // by id in the callee: what it is in the caller; 0: the same
  std::vector<Id> mapped_;                     // what has an entry in map_
  AnnotationCopies names_{&Module::debug_names}, decorations_of_{&Module::annotations};
  bool has_split_ = false;        // some call is now between blocks
  bool has_unreachable_ = false;  // or nothing gets behind it

  // Of the caller at hand.
  std::vector<Block> blocks_;
  std::vector<InstRef> variables_;
};

}  // namespace

void inline_calls(Module& module, SourcePlaces& places) {
  CallPlan plan = plan_calls(module);
  Inliner(module, std::move(plan), places).run();
}

void inline_calls(Module& module) {
  SourcePlaces places(module);
  inline_calls(module, places);
  places.put_back(module);
}

}  // namespace varylink::spirv
