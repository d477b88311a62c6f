#include "support/without_debug.h"

#include <algorithm>
#include <map>
#include <set>

#include "spirv/ir/literal_text.h"
#include "spirv/ir/module.h"
#include "spirv/tools/binary.h"

namespace varylink::test {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spv::Op;

class Stripper {
 public:
  explicit Stripper(const Module& module) : module_(module) {}

  std::vector<std::uint32_t> run() {
    for (const InstRef import : module_.imports)
      if (is_debug_set(import)) debug_sets_.insert(module_[import].result);
    for (const InstRef inst : module_.imports)
      if (!is_debug(inst)) number(inst);
    order_globals();
    for (const InstRef inst : globals_) number(inst);
    for (const spirv::Function& function : module_.functions) each_of(function, [&](InstRef inst) { number(inst); });
    return write();
  }

 private:
  bool is_debug_set(InstRef import) const {
    const auto name = module_.operands(import);
    return spirv::is_text(name, "NonSemantic.Shader.DebugInfo.100") || spirv::is_text(name, "OpenCL.DebugInfo.100");
  }

  bool is_debug(InstRef inst) const {
    switch (module_[inst].op) {
      case Op::OpLine:
      case Op::OpNoLine: return true;
      case Op::OpExtInst: return debug_sets_.count(module_.operand(inst, 0).word) != 0;
      case Op::OpExtInstImport: return debug_sets_.count(module_[inst].result) != 0;
      default: return false;
    }
  }

  // In the order of the function, without debug instructions.
  template <typename Visit>
  void each_of(const spirv::Function& function, Visit visit) const {
    const auto all = [&](const std::vector<InstRef>& list) {
      for (const InstRef inst : list)
        if (!is_debug(inst)) visit(inst);
    };
    all(function.head);
    for (const spirv::Block& block : function.blocks) {
      all(block.head);
      all(block.body);
    }
    all(function.tail);
  }

  // Types, constants and variables in the order in which they are come to; behind them what nothing comes to and is
  // declared for somebody outside.
  void order_globals() {
    for (const auto* list : {&module_.debug_strings, &module_.types})  // the former for what is printed
      for (const InstRef inst : *list)
        if (!is_debug(inst) && module_[inst].result != 0) global_[module_[inst].result] = inst;
    for (const auto* list : {&module_.entry_points, &module_.execution_modes})
      for (const InstRef inst : *list) come_from(inst);
    for (const spirv::Function& function : module_.functions) each_of(function, [&](InstRef inst) { come_from(inst); });
    for (const InstRef inst : module_.annotations)
      if (module_[inst].op == Op::OpDecorateId) come_from(inst);
    for (const InstRef inst : module_.types) {
      const Op op = module_[inst].op;
      const bool is_spec = op >= Op::OpSpecConstantTrue && op <= Op::OpSpecConstantOp;
      if (op == Op::OpVariable || is_spec) come_to(module_[inst].result);
    }
  }

  void come_from(InstRef inst) {
    if (module_[inst].type != 0) come_to(module_[inst].type);
    for (const spirv::Operand& operand : module_.operands(inst))
      if (operand.is_id) come_to(operand.word);
  }

  void come_to(Id id) {
    const auto found = global_.find(id);
    if (found == global_.end() || !seen_.insert(id).second) return;
    come_from(found->second);
    globals_.push_back(found->second);
  }

  void number(InstRef inst) {
    if (module_[inst].result != 0) numbers_.emplace(module_[inst].result, static_cast<Id>(numbers_.size() + 1));
  }

  std::uint32_t numbered(Id id) const {
    const auto found = numbers_.find(id);
    return found == numbers_.end() ? 0 : found->second;
  }

  std::vector<std::uint32_t> words_of(InstRef inst) const {
    std::vector<std::uint32_t> words = {static_cast<std::uint32_t>(module_[inst].op)};
    if (module_[inst].type != 0) words.push_back(numbered(module_[inst].type));
    if (module_[inst].result != 0) words.push_back(numbered(module_[inst].result));
    for (const spirv::Operand& operand : module_.operands(inst))
      words.push_back(operand.is_id ? numbered(operand.word) : operand.word);
    words.front() |= static_cast<std::uint32_t>(words.size()) << spv::WordCountShift;
    return words;
  }

  std::vector<std::uint32_t> write() const {
    std::vector<std::uint32_t> result = {module_.version};
    const auto append = [&](InstRef inst) {
      const std::vector<std::uint32_t> words = words_of(inst);
      result.insert(result.end(), words.begin(), words.end());
    };
    for (const auto* list : {&module_.capabilities, &module_.extensions, &module_.imports, &module_.memory_model,
                             &module_.entry_points, &module_.execution_modes})
      for (const InstRef inst : *list)
        if (!is_debug(inst) && !is_only_for_debug(inst)) append(inst);
    std::vector<std::vector<std::uint32_t>> decorations;
    for (const InstRef inst : module_.annotations)
      if (numbers_.count(module_.operand(inst, 0).word) != 0) decorations.push_back(words_of(inst));
    std::sort(decorations.begin(), decorations.end());
    for (const auto& words : decorations) result.insert(result.end(), words.begin(), words.end());
    for (const InstRef inst : globals_) append(inst);
    for (const spirv::Function& function : module_.functions) each_of(function, append);
    return result;
  }

  // The extension, and capabilities of numbers that only debug instructions have.
  bool is_only_for_debug(InstRef inst) const {
    if (module_[inst].op == Op::OpCapability) {
      switch (static_cast<spv::Capability>(module_.operand(inst, 0).word)) {
        case spv::Capability::Int8: return !has_type(Op::OpTypeInt, 8);
        case spv::Capability::Int16: return !has_type(Op::OpTypeInt, 16);
        case spv::Capability::Int64: return !has_type(Op::OpTypeInt, 64);
        case spv::Capability::Float16: return !has_type(Op::OpTypeFloat, 16);
        case spv::Capability::Float64: return !has_type(Op::OpTypeFloat, 64);
        default: return false;
      }
    }
    return module_[inst].op == Op::OpExtension && spirv::is_text(module_.operands(inst), "SPV_KHR_non_semantic_info");
  }

  bool has_type(Op op, std::uint32_t width) const {
    return std::any_of(globals_.begin(), globals_.end(),
                       [&](InstRef inst) { return module_[inst].op == op && module_.operand(inst, 0).word == width; });
  }

  const Module& module_;
  std::set<Id> debug_sets_, seen_;
  std::map<Id, InstRef> global_;  // by result
  std::vector<InstRef> globals_;  // in the order in which they are written
  std::map<Id, Id> numbers_;
};

}  // namespace

std::vector<std::uint32_t> without_debug(const std::vector<std::uint32_t>& words) {
  const Result<Module> module = spirv::read_module(words, "");
  return module ? Stripper(*module).run() : std::vector<std::uint32_t>();
}

}  // namespace varylink::test
