#include "analysis/discontinuity.h"

#include <algorithm>
#include <bit>

#include "analysis/backward_reach.h"
#include "analysis/output_store.h"
#include "analysis/read_bits.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/operations.h"
#include "spirv/ir/uses.h"

namespace varylink::analysis {
namespace {

using spirv::InstRef;
using spirv::Module;
using spv::Op;

using spirv::Domain;

// Every component of the constant is in the domain.
bool is_constant_inside(const Module& module, spirv::Id value, Domain domain) {
  const InstRef def = module.def(value);
  if (!def) return false;
  const auto operands = module.operands(def);
  if (module[def].op == Op::OpConstantNull) return true;
  if (module[def].op == Op::OpConstantComposite)
    return std::all_of(operands.begin(), operands.end(),
                       [&](const spirv::Operand& part) { return is_constant_inside(module, part.word, domain); });
  if (module[def].op != Op::OpConstant || operands.size() != 1) return false;
  const float number = std::bit_cast<float>(operands[0].word);
  return domain == Domain::minus_one_to_one ? number >= -1 && number <= 1 : number >= 0;
}

constexpr int kMostSums = 8;  // in one another

// A product of a number or vector with itself.
bool is_square(const Module& module, InstRef inst) {
  const Op op = module[inst].op;
  return (op == Op::OpDot || op == Op::OpFMul) && module.operand(inst, 0).word == module.operand(inst, 1).word;
}

// The value is in the domain however its operands are rounded.
bool is_inside(const Module& module, spirv::Id value, Domain domain, int depth = kMostSums) {
  const InstRef def = module.def(value);
  if (!def || depth == 0) return false;
  if (is_constant_inside(module, value, domain)) return true;
  const bool positive = domain == Domain::not_negative;
  const spirv::OperationRow& row = spirv::row_of(module, def);
  if (positive && row.is(spirv::kNotNegative)) return true;
  const std::uint32_t first = spirv::first_value_operand(module, def);
  const auto operand = [&](std::uint32_t i) { return module.operand(def, first + i).word; };
  const auto is_constant = [&](std::uint32_t i) { return is_constant_inside(module, operand(i), domain); };
  switch (row.formula) {
    case spirv::Formula::add:
      return positive && row.reads(spirv::Reading::floating) && is_inside(module, operand(0), domain, depth - 1) &&
             is_inside(module, operand(1), domain, depth - 1);
    case spirv::Formula::clamp: return is_constant(1) && is_constant(2);
    case spirv::Formula::maximum: return positive && (is_constant(0) || is_constant(1));
    case spirv::Formula::smooth_step: return true;
    default: return positive && is_square(module, def);
  }
}

bool leaves_domain(const Module& module, InstRef inst, Domain domain) {
  return domain != Domain::all && !is_inside(module, module.operand(inst, 2).word, domain);
}

// Small changes of the operands may make large changes of whatever comes of this.
bool is_discontinuous(const Module& module, InstRef inst) {
  if (spirv::is_debug_inst(module, inst)) return false;
  if (module[inst].op == Op::OpStore) return writes_beside_outputs(module, inst);
  const spirv::OperationRow& row = spirv::row_of(module, inst);
  return !row.is(spirv::kSmooth) || leaves_domain(module, inst, row.domain);
}

}  // namespace

std::vector<bool> reaches_discontinuity(const Module& module, const spirv::Function& function) {
  return reaching(module, function, [&](InstRef inst) { return is_discontinuous(module, inst); });
}

std::vector<bool> stops_rounding(const Module& module, const spirv::Function& function, bool crosses_discontinuities) {
  return crosses_discontinuities ? reaches_read_bits(module, function) : reaches_discontinuity(module, function);
}

}  // namespace varylink::analysis
