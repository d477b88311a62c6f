#include "fuzz/liberties.h"

#include <map>
#include <optional>

#include "spirv/cleanup/undefined_operations.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/value_decorations.h"
#include "spirv/tools/binary.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::fuzz {
namespace {

using spirv::Id;
using spirv::InstRef;
using spv::Op;
using varyings::ScalarKind;

class Liberties {
 public:
  explicit Liberties(spirv::Module& module) : module_(module), globals_(module), manners_(module) {}

  void run() {
    for (spirv::Function& function : module_.functions)
      for (spirv::Block& block : function.blocks) {
        std::vector<InstRef> body;
        for (const InstRef inst : block.body) {
          body.push_back(inst);
          take(inst, body);
        }
        block.body = std::move(body);
      }
    for (const spirv::Function& function : module_.functions)
      for (const spirv::Block& block : function.blocks)
        for (const InstRef inst : block.body) rename(inst);
  }

 private:
  static constexpr int kMostSteps = 8;                    // from a sum to a product
  static constexpr std::uint32_t kRounding = 0x35800000;  // 2^-20

  bool computes(InstRef inst) const {
    const Op op = module_[inst].op;
    return spirv::is_component_wise(module_, inst) && op != Op::OpPhi && op != Op::OpCopyObject && op != Op::OpSelect;
  }

  // Of a sum that may be fused: the operand with the product.
  Id fused_product(InstRef inst) const {
    const Op op = module_[inst].op;
    if ((op != Op::OpFAdd && op != Op::OpFSub) || manners_.of(module_[inst].result).no_contraction) return 0;
    for (const spirv::Operand& operand : module_.operands(inst))
      if (has_free_product(operand.word, kMostSteps)) return operand.word;
    return 0;
  }

  bool has_free_product(Id value, int steps) const {
    const InstRef def = module_.def(value);
    if (!def || steps == 0) return false;
    switch (module_[def].op) {
      case Op::OpFMul:
      case Op::OpVectorTimesScalar: return !manners_.of(value).no_contraction;
      case Op::OpCompositeConstruct:
      case Op::OpCompositeExtract:
      case Op::OpVectorShuffle:
      case Op::OpCopyObject:
      case Op::OpSelect:
      case Op::OpFNegate: break;
      default: return false;
    }
    for (const spirv::Operand& operand : module_.operands(def))
      if (operand.is_id && has_free_product(operand.word, steps - 1)) return true;
    return false;
  }

  void take(InstRef inst, std::vector<InstRef>& body) {
    const Id result = module_[inst].result, type = module_[inst].type;
    const auto scalar = result == 0 ? std::nullopt : varyings::scalar_type_of(module_, type);
    if (!scalar || scalar->kind == ScalarKind::boolean) return;
    const bool is_float = scalar->kind == ScalarKind::floating;
    if (manners_.of(result).permissions != 0 && computes(inst))
      return replace(result, add(body, is_float ? Op::OpFNegate : Op::OpNot, type, {spirv::id(result)}));
    const Id product = scalar->width == 32 ? fused_product(inst) : 0;
    if (product == 0) return;
    const spirv::Operand rounding = spirv::id(globals_.scalar_constant(globals_.float_type(32), {kRounding}));
    const bool is_vector = spirv::component_count(module_, type) > 1;
    const Id error = add(body, is_vector ? Op::OpVectorTimesScalar : Op::OpFMul, type, {spirv::id(product), rounding});
    replace(result, add(body, Op::OpFAdd, type, {spirv::id(result), spirv::id(error)}));
  }

  Id add(std::vector<InstRef>& body, Op op, Id type, const std::vector<spirv::Operand>& operands) {
    const Id result = module_.new_id();
    body.push_back(module_.create(op, type, result, operands));
    added_.insert({body.back().index, true});
    return result;
  }

  void replace(Id result, Id other) { replaced_[result] = other; }

  void rename(InstRef inst) {
    if (added_.count(inst.index) != 0) return;
    const auto operands = module_.operands(inst);
    for (std::uint32_t i = 0; i < operands.size(); ++i) {
      const auto found = operands[i].is_id ? replaced_.find(operands[i].word) : replaced_.end();
      if (found != replaced_.end()) module_.set_operand(inst, i, spirv::id(found->second));
    }
  }

  spirv::Module& module_;
  spirv::Globals globals_;
  spirv::Manners manners_;
  std::map<Id, Id> replaced_;
  std::map<std::uint32_t, bool> added_;
};

}  // namespace

std::vector<std::uint32_t> with_liberties(const std::vector<std::uint32_t>& words) {
  Result<spirv::Module> module = spirv::read_module(words, "");
  if (!module) return words;
  Liberties(*module).run();
  return spirv::write_module(*module);
}

std::size_t count_undefined_operations(const std::vector<std::uint32_t>& words) {
  const Result<spirv::Module> module = spirv::read_module(words, "");
  if (!module) return 0;
  std::size_t count = 0;
  for (const spirv::Function& function : module->functions)
    for (const spirv::Block& block : function.blocks)
      for (const InstRef inst : block.body) {
        std::vector<spirv::Bits> literals;
        const auto operands = module->operands(inst).subspan(spirv::first_value_operand(*module, inst));
        for (const spirv::Operand& operand : operands)
          if (const auto bits = operand.is_id ? spirv::constant_bits(*module, operand.word) : std::nullopt)
            literals.push_back(*bits);
        if (literals.empty() || literals.size() != operands.size()) continue;
        const auto result = spirv::number_type(*module, (*module)[inst].type);
        const auto of = spirv::number_type(*module, module->type_of(operands.front().word));
        const bool is_extended = spirv::is_glsl_inst(*module, inst);
        const std::uint32_t glsl = is_extended ? module->operand(inst, 1).word : 0;
        if (result && of && spirv::any_result((*module)[inst].op, glsl, *result, *of, literals)) ++count;
      }
  return count;
}

}  // namespace varylink::fuzz
