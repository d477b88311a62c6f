#include "spirv/ir/canonical_code.h"

#include <map>
#include <set>

#include "spirv/ir/cfg.h"
#include "spirv/ir/memory_reads.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/operations.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {
namespace {

class CodeWriter {
 public:
  explicit CodeWriter(const Module& module) : module_(module), reads_(module) {
    for (const InstRef inst : module.annotations) read_annotation(inst);
  }

  std::string run(const Function& function) {
    for (const InstRef inst : function.head) take(inst);
    for (const Block& block : function.blocks) {
      for (const InstRef inst : block.head) take(inst);
      for (const InstRef inst : block.body) take(inst);
    }
    const Cfg cfg(module_, function);
    for (const std::uint32_t index : cfg.reverse_post_order()) {
      const Block& block = function.blocks[index];
      line("block " + number_of(block.label));
      for (const InstRef inst : block.body)
        if (!is_debug_inst(module_, inst) && !floats(inst)) emit(inst);
    }
    return std::move(text_);
  }

 private:
  void take(InstRef inst) {
    if (module_[inst].result != 0) local_.emplace(module_[inst].result, inst);
  }

  void read_annotation(InstRef inst) {
    const spv::Op op = module_[inst].op;
    const bool on_member = op == spv::Op::OpMemberDecorate;
    if (!on_member && op != spv::Op::OpDecorate && op != spv::Op::OpDecorateId) return;
    std::string text;
    for (const Operand& operand : module_.operands(inst).subspan(on_member ? 2 : 1))
      text += " " + std::to_string(operand.word);
    const Id target = module_.operand(inst, 0).word;
    if (on_member)
      members_[{target, module_.operand(inst, 1).word}].insert(text);
    else
      decorations_[target].insert(text);
  }

  std::string decorations_of(Id target) const {
    std::string text;
    if (const auto found = decorations_.find(target); found != decorations_.end())
      for (const std::string& decoration : found->second) text += " @" + decoration;
    return text;
  }

  void line(const std::string& text) { text_ += text + "\n"; }

  std::string number_of(Id value) {
    const auto [found, is_new] = numbers_.emplace(value, count_);
    if (is_new) ++count_;
    return "%" + std::to_string(found->second);
  }

  // May stand anywhere between what it needs and its first use.
  bool floats(InstRef inst) const {
    const spv::Op op = module_[inst].op;
    if (is_access_chain(op)) return true;
    if (const OperationRow& row = row_of(op); row.is(kArranges) || row.formula == Formula::bit_cast) return true;
    return op == spv::Op::OpLoad && module_[inst].operand_count == 1 && reads_.is_constant(inst);
  }

  void emit(InstRef inst) {
    const Inst& what = module_[inst];
    std::string text = std::to_string(static_cast<unsigned>(what.op));
    if (what.type != 0) text += " : " + global(what.type);
    for (const Operand& operand : module_.operands(inst)) text += " " + operand_text(operand);
    text += offsets_of(inst);
    if (what.result != 0) text = decorations_of(what.result) + " = " + text;
    if (floats(inst)) {
      const auto [first, is_new] = floated_.emplace(text, what.result);
      if (!is_new) {
        numbers_[what.result] = numbers_.at(first->second);
        return;
      }
    }
    line(what.result != 0 ? number_of(what.result) + text : text);
  }

  std::string operand_text(const Operand& operand) {
    if (!operand.is_id) return std::to_string(operand.word);
    const auto found = local_.find(operand.word);
    if (found == local_.end()) return global(operand.word);
    if (numbers_.count(operand.word) == 0 && floats(found->second)) emit(found->second);
    return number_of(operand.word);
  }

  // The decorations of the members that an access chain goes through.
  std::string offsets_of(InstRef inst) const {
    if (!is_access_chain(module_[inst].op)) return {};
    std::string text;
    const auto pointer = module_.def(module_.type_of(module_.operand(inst, 0).word));
    Id type = pointer ? module_.operand(pointer, 1).word : 0;
    for (std::uint32_t i = 1; i < module_[inst].operand_count; ++i) {
      const InstRef def = module_.def(type);
      if (!def) return text;
      if (module_[def].op != spv::Op::OpTypeStruct) {
        if (module_[def].operand_count == 0) return text;
        type = module_.operand(def, 0).word;
        continue;
      }
      const InstRef constant = module_.def(module_.operand(inst, i).word);
      if (!constant || module_[constant].op != spv::Op::OpConstant) return text;
      const std::uint32_t member = module_.operand(constant, 0).word;
      if (member >= module_[def].operand_count) return text;
      if (const auto found = members_.find({type, member}); found != members_.end())
        for (const std::string& decoration : found->second) text += " @" + decoration;
      type = module_.operand(def, member).word;
    }
    return text;
  }

  // Something declared outside of functions.
  std::string global(Id value) {
    if (const auto known = globals_.find(value); known != globals_.end()) return known->second;
    globals_[value] = "...";  // a type that contains itself, by way of a pointer
    const InstRef inst = module_.def(value);
    std::string text = "?";
    if (inst && module_[inst].op == spv::Op::OpTypeStruct) {
      text = "struct";
    } else if (inst) {
      const Inst& what = module_[inst];
      text = "(" + std::to_string(static_cast<unsigned>(what.op));
      if (what.type != 0) text += " : " + global(what.type);
      for (const Operand& operand : module_.operands(inst))
        text += " " + (operand.is_id ? global(operand.word) : std::to_string(operand.word));
      text += decorations_of(value) + ")";
    }
    return globals_[value] = text;
  }

  const Module& module_;
  MemoryReads reads_;
  std::map<Id, std::set<std::string>> decorations_;
  std::map<std::pair<Id, std::uint32_t>, std::set<std::string>> members_;
  std::map<Id, InstRef> local_;
  std::map<Id, std::size_t> numbers_;  // of results and blocks; equal for what was merged
  std::size_t count_ = 0;              // of the numbers
  std::map<Id, std::string> globals_;
  std::map<std::string, Id> floated_;  // the first of what stands in front of its first use, by text
  std::string text_;
};

}  // namespace

std::string canonical_code(const Module& module, Id function) {
  const Function* found = module.function(function);
  return found ? CodeWriter(module).run(*found) : std::string();
}

}  // namespace varylink::spirv
