#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/cleanup/simplify.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/value_decorations.h"

namespace varylink::spirv {
namespace {

constexpr std::uint32_t kOne = 0x3f800000u;

class IdentityFolder {
 public:
  explicit IdentityFolder(Module& module) : module_(module), globals_(module), precise_(kept_as_written(module)) {}

  bool run() {
    return write_in_front(module_, [this](InstRef inst, std::vector<InstRef>& body) { return apply_to(inst, body); });
  }

 private:
  // `body`: what stands in front of the instruction.
  bool apply_to(InstRef inst, std::vector<InstRef>& body) {
    if (precise_.count(module_[inst].result) != 0) return false;
    const auto value = fold(inst);
    if (!value) return narrow_dot(inst, body) || write_out_mix(inst);
    module_.rewrite(inst, spv::Op::OpCopyObject, {id(*value)});
    return true;
  }

  Id operand(InstRef inst, std::uint32_t position) const { return module_.operand(inst, position).word; }

  bool is_float32(Id type) const {
    while (module_.def_op(type) == spv::Op::OpTypeVector) type = element_type(module_, type);
    return module_.def_op(type) == spv::Op::OpTypeFloat && operand(module_.def(type), 0) == 32;
  }

  bool is_zero(Id value) const { return has_bits(module_, value, 0) || has_bits(module_, value, 0x80000000u); }
  bool is_one(Id value) const { return has_bits(module_, value, kOne); }

  std::optional<Id> fold(InstRef inst) {
    const Id type = module_[inst].type;
    if (type == 0 || !is_float32(type)) return std::nullopt;
    const Id a = operand(inst, 0), b = operand(inst, 1);
    switch (module_[inst].op) {
      case spv::Op::OpFMul: return fold_product(type, a, b);
      case spv::Op::OpVectorTimesScalar:
        if (is_zero(a) || is_zero(b)) return globals_.null_constant(type);
        return is_one(b) ? std::optional(a) : std::nullopt;
      case spv::Op::OpDot: return is_zero(a) || is_zero(b) ? std::optional(globals_.null_constant(type)) : std::nullopt;
      case spv::Op::OpFAdd:
        if (is_zero(a)) return b;
        return is_zero(b) ? std::optional(a) : std::nullopt;
      case spv::Op::OpFSub: return is_zero(b) ? std::optional(a) : std::nullopt;
      case spv::Op::OpFDiv: return is_one(b) ? std::optional(a) : std::nullopt;
      case spv::Op::OpExtInst: return is_glsl_inst(module_, inst) ? fold_glsl(inst) : std::nullopt;
      default: return std::nullopt;
    }
  }

  std::optional<Id> fold_product(Id type, Id a, Id b) {
    if (is_zero(a) || is_zero(b)) return globals_.null_constant(type);
    if (is_one(a)) return b;
    return is_one(b) ? std::optional(a) : std::nullopt;
  }

  std::optional<Id> fold_glsl(InstRef inst) {
    const Id a = operand(inst, 2), b = operand(inst, 3), c = operand(inst, 4);
    switch (operand(inst, 1)) {
      case GLSLstd450FMix:
        if (is_zero(c) || a == b) return a;
        return is_one(c) ? std::optional(b) : std::nullopt;
      case GLSLstd450Fma: return is_zero(a) || is_zero(b) ? std::optional(c) : std::nullopt;
      default: return std::nullopt;
    }
  }

  // Components that a dot product multiplies with zero are not read by it any more.
  bool narrow_dot(InstRef inst, std::vector<InstRef>& body) {
    if (module_[inst].op != spv::Op::OpDot || !is_float32(module_[inst].type)) return false;
    const bool weights_first = module_.def_op(operand(inst, 0)) == spv::Op::OpConstantComposite;
    const Id weights = operand(inst, weights_first ? 0 : 1), vector = operand(inst, weights_first ? 1 : 0);
    if (module_.def_op(weights) != spv::Op::OpConstantComposite) return false;
    std::vector<std::uint32_t> kept;
    std::vector<Id> factors;
    const auto parts = module_.operands(module_.def(weights));
    for (std::uint32_t i = 0; i < parts.size(); ++i)
      if (!is_zero(parts[i].word)) {
        kept.push_back(i);
        factors.push_back(parts[i].word);
      }
    if (kept.empty() || kept.size() == parts.size()) return false;
    const Id type = globals_.vector_type(module_[inst].type, static_cast<std::uint32_t>(kept.size()));
    const Id read = pick(type, vector, kept, body);
    if (kept.size() == 1)
      module_.rewrite(inst, spv::Op::OpFMul, {id(read), id(factors.front())});
    else
      module_.rewrite(inst, spv::Op::OpDot, {id(read), id(globals_.composite_constant(type, factors))});
    return true;
  }

  // mix(0, b, c)
  bool write_out_mix(InstRef inst) {
    if (!is_glsl_inst(module_, inst) || operand(inst, 1) != GLSLstd450FMix || !is_float32(module_[inst].type) ||
        !is_zero(operand(inst, 2)))
      return false;
    module_.rewrite(inst, spv::Op::OpFMul, {id(operand(inst, 3)), id(operand(inst, 4))});
    return true;
  }

  // The components as a value of `type`, a vector or a scalar.
  Id pick(Id type, Id vector, const std::vector<std::uint32_t>& components, std::vector<InstRef>& body) {
    const bool is_one = components.size() == 1;
    std::vector<Operand> operands = {id(vector)};
    if (!is_one) operands.push_back(id(vector));
    for (const std::uint32_t component : components) operands.push_back(lit(component));
    const Id result = module_.new_id();
    const spv::Op op = is_one ? spv::Op::OpCompositeExtract : spv::Op::OpVectorShuffle;
    body.push_back(module_.create(op, type, result, operands));
    return result;
  }

  Module& module_;
  Globals globals_;
  std::set<Id> precise_;
};

}  // namespace

bool allows_identities(const Module& module) {
  constexpr std::uint32_t kFPFastMathDefault = 6028;
  return std::none_of(module.execution_modes.begin(), module.execution_modes.end(), [&](InstRef inst) {
    const std::uint32_t mode = module.operand(inst, 1).word;
    return mode == static_cast<std::uint32_t>(spv::ExecutionMode::SignedZeroInfNanPreserve) ||
           mode == kFPFastMathDefault;
  });
}

bool fold_identities(Module& module) {
  bool changed = false;
  while (IdentityFolder(module).run()) {
    fold_composites(module);
    changed = true;
  }
  return changed;
}

}  // namespace varylink::spirv
