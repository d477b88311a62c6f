#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/cleanup/constant_folder.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/constructs.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/operations.h"

namespace varylink::spirv {
namespace {

using spv::Op;

// What is known of a value: nothing yet, a constant, or that it is not the same each time.
constexpr Id kUnknown = 0, kVarying = 0xffffffffu;

// A number, or a vector of numbers, of which every bit is 0.
bool is_integer_zero(const Module& module, Id constant) {
  const auto operands = module.operands(module.def(constant));  // none of OpConstantNull
  return std::all_of(operands.begin(), operands.end(), [&](const Operand& operand) {
    return operand.is_id ? is_integer_zero(module, operand.word) : operand.word == 0;
  });
}

enum class Folds : std::uint8_t { everything, integers };

class Propagation {
 public:
  Propagation(Module& module, const Function& function, Folds folds)
      : module_(module),
        function_(function),
        folds_(folds),
        cfg_(module, function_),
        folder_(module),
        values_(module.bound, kVarying),
        runs_(function_.blocks.size(), false),
        allows_identities_(allows_identities(module)) {
    for (const InstRef inst : module.annotations)
      if (module[inst].op == Op::OpDecorate &&
          module.operand(inst, 1).word == static_cast<std::uint32_t>(spv::Decoration::NoContraction))
        no_contraction_.insert(module.operand(inst, 0).word);
    const std::vector<InstRef> declared = module.types;  // canonical() may add to it
    for (const InstRef inst : declared)
      if (is_constant(module, module[inst].result))
        values_[module[inst].result] = folder_.canonical(module[inst].result);
    for (const Block& block : function_.blocks)
      for (const InstRef inst : block.body)
        if (module[inst].result != 0) values_[module[inst].result] = kUnknown;
  }

  void run() {
    runs_[0] = true;
    for (changed_ = true; changed_;) {
      changed_ = false;
      for (const std::uint32_t block : cfg_.reverse_post_order())
        if (runs_[block]) visit(block);
    }
  }

  // True if something was replaced; module_.sweep() is left to the caller.
  bool rewrite() {
    bool any = false;
    for (const Block& block : function_.blocks)
      for (const InstRef inst : block.body) {
        const Id result = module_[inst].result;
        // A bit cast stays: constants keep the type that says most to whoever reads the shader. What takes it is
        // computed.
        if (result == 0 || !is_known(values_[result]) || module_[inst].op == Op::OpBitcast) continue;
        module_.kill(inst);
        any = true;
      }
    if (!any) return false;
    for (const Block& block : function_.blocks)
      for (const InstRef inst : block.body) {
        const auto operands = module_.operands(inst);
        for (std::uint32_t i = 0; i < operands.size(); ++i)
          if (operands[i].is_id && is_replaced(operands[i].word))
            module_.set_operand(inst, i, id(values_[operands[i].word]));
      }
    return true;
  }

 private:
  static bool is_known(Id value) { return value != kUnknown && value != kVarying; }
  bool is_replaced(Id value) const { return value < values_.size() && is_known(values_[value]) && !module_.def(value); }

  Id value_of(Id id) const { return id < values_.size() ? values_[id] : id; }

  void set(Id result, Id value) {
    if (values_[result] == value) return;
    values_[result] = value;
    changed_ = true;
  }

  void visit(std::uint32_t block) {
    for (const InstRef inst : function_.blocks[block].body) {
      const Id result = module_[inst].result;
      if (result == 0 || values_[result] == kVarying) continue;
      set(result, module_[inst].op == Op::OpPhi ? value_of_phi(block, inst) : value_of_inst(inst));
    }
    visit_branch(block, function_.blocks[block].body.back());
  }

  Id value_of_phi(std::uint32_t block, InstRef phi) const {
    Id common = kUnknown;
    const auto operands = module_.operands(phi);
    for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
      const std::uint32_t from = cfg_.block_of(operands[i + 1].word);
      if (from == Cfg::kNone || edges_.count({from, block}) == 0) continue;
      const Id value = value_of(operands[i].word);
      if (value == kUnknown || value == common) continue;
      if (value == kVarying || common != kUnknown) return kVarying;
      common = value;
    }
    return is_known(common) && module_.type_of(common) != module_[phi].type ? kVarying : common;
  }

  Id value_of_inst(InstRef inst) {
    if (module_[inst].op == Op::OpVariable || !may_fold(inst)) return kVarying;
    std::vector<Id> constants;
    std::uint32_t count = 0;
    std::uint32_t deciding = 0;  // position of the constant where there is one
    const auto operands = module_.operands(inst).subspan(first_value_operand(module_, inst));
    for (const Operand& operand : operands) {
      if (!operand.is_id) continue;
      const Id value = value_of(operand.word);
      if (value == kUnknown) return kUnknown;
      if (value != kVarying) {
        constants.push_back(value);
        deciding = count;
      }
      ++count;
    }
    if (constants.empty() || (constants.size() != count && count != 2)) return kVarying;
    const std::optional<Id> folded =
        constants.size() == count ? folder_.fold(inst, constants) : decided(inst, deciding, constants.front());
    return folded.value_or(kVarying);
  }

  bool may_fold(InstRef inst) const {
    if (folds_ == Folds::everything || is_number(module_[inst].type, Op::OpTypeBool)) return true;
    if (!is_number(module_[inst].type, Op::OpTypeInt)) return false;
    const auto operands = module_.operands(inst).subspan(first_value_operand(module_, inst));
    return std::all_of(operands.begin(), operands.end(), [&](const Operand& operand) {
      return !operand.is_id || !is_number(module_.type_of(operand.word), Op::OpTypeFloat);
    });
  }

  // A scalar or vector of that type.
  bool is_number(Id type, Op scalar) const {
    return module_.def_op(module_.def_op(type) == Op::OpTypeVector ? element_type(module_, type) : type) == scalar;
  }

  // What one constant operand of two makes of the instruction, kVarying if nothing.
  std::optional<Id> decided(InstRef inst, std::uint32_t position, Id constant) {
    const Op op = module_[inst].op;
    const OperationRow& row = row_of(module_, inst);
    const bool is_and = row.formula == Formula::bit_and;
    if (row.reads(Reading::integer) && (is_and || row.formula == Formula::multiply))
      return is_integer_zero(module_, constant) && is_of_words(module_[inst].type) ? folder_.zero(module_[inst].type)
                                                                                   : kVarying;
    if (op == Op::OpVectorTimesScalar || op == Op::OpDot)
      return is_nothing(inst, constant) ? folder_.zero(module_[inst].type) : kVarying;
    if (row.reads(Reading::boolean) && (is_and || row.formula == Formula::bit_or))
      return decided_logically(op, constant);
    if (const auto result = clamped_comparison(module_, inst, position, constant)) return folder_.boolean(*result);
    if (const auto result = compared_with_zero(op, position, constant); result && is_bool(module_[inst].type))
      return folder_.boolean(*result);
    return std::nullopt;
  }

  Id decided_logically(Op op, Id constant) const {
    const Op known = module_.def_op(constant);
    if (known != Op::OpConstantTrue && known != Op::OpConstantFalse) return kVarying;
    return (op == Op::OpLogicalOr) == (known == Op::OpConstantTrue) ? constant : kVarying;
  }

  // Nothing is below 0 for an unsigned comparison.
  std::optional<bool> compared_with_zero(Op op, std::uint32_t position, Id constant) const {
    if (!is_integer_zero(module_, constant)) return std::nullopt;
    if (op == (position == 1 ? Op::OpULessThan : Op::OpUGreaterThan)) return false;
    if (op == (position == 1 ? Op::OpUGreaterThanEqual : Op::OpULessThanEqual)) return true;
    return std::nullopt;
  }

  // The product of finite numbers and 0, which counts as 0 whatever its sign.
  bool is_nothing(InstRef product, Id factor) const {
    return allows_identities_ && is_of_words(module_[product].type) &&
           no_contraction_.count(module_[product].result) == 0 && is_float_zero(factor);
  }

  bool is_float_zero(Id constant) const {
    const auto operands = module_.operands(module_.def(constant));
    return std::all_of(operands.begin(), operands.end(), [&](const Operand& operand) {
      return operand.is_id ? is_float_zero(operand.word) : (operand.word & 0x7fffffffu) == 0;
    });
  }

  // Numbers of 32 bits.
  bool is_of_words(Id type) const {
    const Id scalar = module_.def_op(type) == Op::OpTypeVector ? element_type(module_, type) : type;
    const Op op = module_.def_op(scalar);
    return (op == Op::OpTypeInt || op == Op::OpTypeFloat) && module_.operand(module_.def(scalar), 0).word == 32;
  }

  bool is_bool(Id type) const { return module_.def_op(type) == Op::OpTypeBool; }

  void take(std::uint32_t from, Id label) {
    const std::uint32_t to = cfg_.block_of(label);
    if (to == Cfg::kNone || !edges_.insert({from, to}).second) return;
    runs_[to] = true;
    changed_ = true;
  }

  void visit_branch(std::uint32_t block, InstRef branch) {
    const auto operands = module_.operands(branch);
    const Op op = module_[branch].op;
    if (op == Op::OpBranch) return take(block, operands[0].word);
    if (op != Op::OpBranchConditional && op != Op::OpSwitch) return;
    const Id condition = value_of(operands[0].word);
    if (condition == kUnknown) return;
    const Op known = condition == kVarying ? Op::OpNop : module_.def_op(condition);
    if (op == Op::OpBranchConditional && (known == Op::OpConstantTrue || known == Op::OpConstantFalse))
      return take(block, operands[known == Op::OpConstantTrue ? 1 : 2].word);
    if (known == Op::OpConstant)
      return take(block, switch_target(module_, branch, module_.operands(module_.def(condition))));
    for (std::size_t i = 1; i < operands.size(); ++i)
      if (operands[i].is_id) take(block, operands[i].word);
  }

  Module& module_;
  const Function& function_;
  Folds folds_;
  Cfg cfg_;
  ConstantFolder folder_;
  std::vector<Id> values_;                                   // by id: kUnknown, kVarying or a constant
  std::vector<bool> runs_;                                   // by block
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges_;  // that are taken
  bool allows_identities_;
  std::set<Id> no_contraction_;
  bool changed_ = false;
};

void propagate(Module& module, Folds folds) {
  bool any = false;
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    if (module.functions[i].blocks.empty()) continue;
    Propagation propagation(module, module.functions[i], folds);
    propagation.run();
    any = propagation.rewrite() || any;
  }
  if (any) module.sweep();
}

}  // namespace

void sccp(Module& module) { propagate(module, Folds::everything); }

void fold_integers(Module& module) { propagate(module, Folds::integers); }

}  // namespace varylink::spirv
