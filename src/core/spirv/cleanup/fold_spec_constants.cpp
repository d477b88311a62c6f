#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/cleanup/constant_folder.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {
namespace {

using spv::Op;

bool are_constants(const Module& module, std::span<const Operand> operands) {
  return std::all_of(operands.begin(), operands.end(),
                     [&](const Operand& operand) { return !operand.is_id || is_constant(module, operand.word); });
}

// The least integer divided by -1, whose quotient SPIR-V leaves undefined and other compilers die of: what two's
// complement gives.
std::optional<Id> least_quotient(const Module& module, ConstantFolder& folder, Op op, std::span<const Id> operands) {
  if ((op != Op::OpSDiv && op != Op::OpSRem && op != Op::OpSMod) || operands.size() != 2) return std::nullopt;
  const Id type = module.type_of(operands[0]);
  const std::optional<NumberType> number = number_type(module, type);
  const std::optional<Bits> a = constant_bits(module, operands[0]), b = constant_bits(module, operands[1]);
  if (!number || !a || !b) return std::nullopt;
  const Bits all = ~Bits{0} >> (64 - number->width);
  if (*b != all || *a != all - (all >> 1)) return std::nullopt;
  return op == Op::OpSDiv ? operands[0] : folder.zero(type);
}

// What the OpSpecConstantOp is, as a constant of its own.
std::optional<Id> value_of(Module& module, ConstantFolder& folder, InstRef inst) {
  const auto span = module.operands(inst);
  const std::vector<Operand> operands(span.begin() + 1, span.end());
  if (operands.empty() || !are_constants(module, operands)) return std::nullopt;
  std::vector<Id> ids;
  for (const Operand& operand : operands)
    if (operand.is_id) ids.push_back(operand.word);
  if (ids.empty()) return std::nullopt;
  const auto op = static_cast<Op>(module.operand(inst, 0).word);
  const InstRef computed = module.create(op, module[inst].type, 0, operands);
  const std::optional<Id> folded = folder.fold(computed, ids);
  module.kill(computed);
  return folded ? folded : least_quotient(module, folder, op, ids);
}

// Puts constants in front of the composites that are made of them, which may have been declared before.
class DefinitionOrder {
 public:
  explicit DefinitionOrder(Module& module) : module_(module) {}

  void run() {
    for (const InstRef inst : module_.types) place(inst);
    module_.types = std::move(ordered_);
  }

 private:
  void place(InstRef inst) {
    if (!placed_.insert(inst.index).second) return;
    if (module_[inst].op == Op::OpConstantComposite)
      for (const Operand& part : module_.operands(inst)) place(module_.def(part.word));
    ordered_.push_back(inst);
  }

  Module& module_;
  std::set<std::uint32_t> placed_;
  std::vector<InstRef> ordered_;
};

// Of the constants behind the first `count` of the global section: what folding needed on the way. Users stand behind
// what they use.
void remove_unused(Module& module, std::size_t count) {
  const Uses uses(module);
  for (std::size_t i = module.types.size(); i-- > count;) {
    const auto users = uses.of(module[module.types[i]].result);
    const auto is_gone = [&](InstRef user) { return module.is_dead(user); };
    if (std::all_of(users.begin(), users.end(), is_gone)) module.kill(module.types[i]);
  }
  module.sweep();
}

}  // namespace

void fold_spec_constants(Module& module) {
  ConstantFolder folder(module);
  const std::vector<InstRef> declared = module.types;
  for (const InstRef inst : declared) {
    if (module[inst].op == Op::OpSpecConstantComposite && are_constants(module, module.operands(inst))) {
      const auto span = module.operands(inst);
      module.rewrite(inst, Op::OpConstantComposite, std::vector<Operand>(span.begin(), span.end()));
    }
    if (module[inst].op != Op::OpSpecConstantOp) continue;
    const std::optional<Id> value = value_of(module, folder, inst);
    if (!value) continue;
    const InstRef constant = module.def(*value);
    const auto span = module.operands(constant);
    module.rewrite(inst, module[constant].op, std::vector<Operand>(span.begin(), span.end()));
  }
  remove_unused(module, declared.size());
  DefinitionOrder(module).run();
}

}  // namespace varylink::spirv
