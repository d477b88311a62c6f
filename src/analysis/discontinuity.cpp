#include "analysis/discontinuity.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <bit>

#include "analysis/backward_reach.h"
#include "analysis/output_store.h"
#include "analysis/read_bits.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/uses.h"

namespace varylink::analysis {
namespace {

using spirv::InstRef;
using spirv::Module;
using spv::Op;

bool is_between(Op op, Op first, Op last) {
  return static_cast<unsigned>(op) >= static_cast<unsigned>(first) &&
         static_cast<unsigned>(op) <= static_cast<unsigned>(last);
}

bool is_discontinuous_glsl(std::uint32_t number) {
  switch (number) {
    case GLSLstd450Round:
    case GLSLstd450RoundEven:
    case GLSLstd450Trunc:
    case GLSLstd450Floor:
    case GLSLstd450Ceil:
    case GLSLstd450Fract:
    case GLSLstd450FSign:
    case GLSLstd450Step:
    case GLSLstd450Modf:
    case GLSLstd450ModfStruct:
    case GLSLstd450Frexp:
    case GLSLstd450FrexpStruct:
    case GLSLstd450FaceForward:
    case GLSLstd450Refract:
    case GLSLstd450Atan2: return true;
    default: return number >= GLSLstd450PackSnorm4x8 && number <= GLSLstd450UnpackDouble2x32;
  }
}

// Functions that are not a number, or not defined, behind the end of what they take (GLSL.std.450): there the last bit
// of an operand decides between a number and none.
enum class Domain : std::uint8_t { all, not_negative, one };

Domain domain_of(std::uint32_t number) {
  switch (number) {
    case GLSLstd450Sqrt:
    case GLSLstd450InverseSqrt:
    case GLSLstd450Pow:
    case GLSLstd450Log:
    case GLSLstd450Log2: return Domain::not_negative;
    case GLSLstd450Asin:
    case GLSLstd450Acos: return Domain::one;
    default: return Domain::all;
  }
}

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
  return domain == Domain::one ? number >= -1 && number <= 1 : number >= 0;
}

constexpr int kMostSums = 8;  // in one another

// The value is in the domain however its operands are rounded.
bool is_inside(const Module& module, spirv::Id value, Domain domain, int depth = kMostSums) {
  const InstRef def = module.def(value);
  if (!def || depth == 0) return false;
  if (is_constant_inside(module, value, domain)) return true;
  const auto operand = [&](std::uint32_t i) { return module.operand(def, i).word; };
  const bool positive = domain == Domain::not_negative;
  switch (module[def].op) {
    case Op::OpDot:
    case Op::OpFMul: return positive && operand(0) == operand(1);
    case Op::OpFAdd:
      return positive && is_inside(module, operand(0), domain, depth - 1) &&
             is_inside(module, operand(1), domain, depth - 1);
    case Op::OpExtInst: break;
    default: return false;
  }
  if (!spirv::is_glsl_inst(module, def)) return false;
  switch (operand(1)) {
    case GLSLstd450FClamp:
    case GLSLstd450NClamp:
      return is_constant_inside(module, operand(3), domain) && is_constant_inside(module, operand(4), domain);
    case GLSLstd450FMax:
    case GLSLstd450NMax:
      return positive &&
             (is_constant_inside(module, operand(2), domain) || is_constant_inside(module, operand(3), domain));
    case GLSLstd450SmoothStep: return true;
    case GLSLstd450FAbs:
    case GLSLstd450Sqrt:
    case GLSLstd450Length:
    case GLSLstd450Distance:
    case GLSLstd450Exp:
    case GLSLstd450Exp2: return positive;
    default: return false;
  }
}

bool leaves_domain(const Module& module, InstRef inst) {
  const Domain domain = domain_of(module.operand(inst, 1).word);
  return domain != Domain::all && !is_inside(module, module.operand(inst, 2).word, domain);
}

// Samples with filtering change smoothly with their coordinates; everything else that takes an image addresses texels.
bool is_filtered_sample(Op op) {
  return is_between(op, Op::OpImageSampleImplicitLod, Op::OpImageSampleExplicitLod) ||
         is_between(op, Op::OpImageSampleProjImplicitLod, Op::OpImageSampleProjExplicitLod);
}

// Small changes of the operands may make large changes of whatever comes of this.
bool is_discontinuous(const Module& module, InstRef inst) {
  const Op op = module[inst].op;
  if (spirv::is_debug_inst(module, inst)) return false;
  if (op == Op::OpStore) return !stores_to_output(module, inst);
  if (op == Op::OpExtInst)
    return !spirv::is_glsl_inst(module, inst) || is_discontinuous_glsl(module.operand(inst, 1).word) ||
           leaves_domain(module, inst);
  if (is_filtered_sample(op)) return false;
  if (is_between(op, Op::OpDPdx, Op::OpFwidthCoarse)) return false;
  switch (op) {
    case Op::OpFAdd:
    case Op::OpFSub:
    case Op::OpFNegate:
    case Op::OpFMul:
    case Op::OpFDiv:
    case Op::OpVectorTimesScalar:
    case Op::OpMatrixTimesScalar:
    case Op::OpVectorTimesMatrix:
    case Op::OpMatrixTimesVector:
    case Op::OpMatrixTimesMatrix:
    case Op::OpOuterProduct:
    case Op::OpDot:
    case Op::OpTranspose:
    case Op::OpCompositeConstruct:
    case Op::OpCompositeExtract:
    case Op::OpCompositeInsert:
    case Op::OpVectorShuffle:
    case Op::OpVectorExtractDynamic:
    case Op::OpVectorInsertDynamic:
    case Op::OpCopyObject:
    case Op::OpCopyLogical:
    case Op::OpSelect:
    case Op::OpPhi:
    case Op::OpFConvert:
    case Op::OpReturnValue: return false;
    default: return true;
  }
}

}  // namespace

std::vector<bool> reaches_discontinuity(const Module& module, const spirv::Function& function) {
  return reaching(module, function, [&](InstRef inst) { return is_discontinuous(module, inst); });
}

std::vector<bool> stops_rounding(const Module& module, const spirv::Function& function, bool crosses_discontinuities) {
  return crosses_discontinuities ? reaches_read_bits(module, function) : reaches_discontinuity(module, function);
}

}  // namespace varylink::analysis
