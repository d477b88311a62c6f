#include "spirv/ir/op_info.h"

#include <spirv/unified1/GLSL.std.450.h>

#include "spirv/ir/literal_text.h"

namespace varylink::spirv {
namespace {

bool in_range(spv::Op op, spv::Op first, spv::Op last) {
  return static_cast<unsigned>(op) >= static_cast<unsigned>(first) &&
         static_cast<unsigned>(op) <= static_cast<unsigned>(last);
}

bool is_component_wise_core(spv::Op op) {
  using spv::Op;
  if (in_range(op, Op::OpConvertFToU, Op::OpConvertUToF) || in_range(op, Op::OpUConvert, Op::OpQuantizeToF16))
    return true;
  if (in_range(op, Op::OpSNegate, Op::OpFMod)) return true;
  if (in_range(op, Op::OpIsNan, Op::OpUnordered)) return true;
  if (in_range(op, Op::OpLogicalEqual, Op::OpFUnordGreaterThanEqual)) return true;
  if (in_range(op, Op::OpShiftRightLogical, Op::OpBitCount)) return true;
  return in_range(op, Op::OpDPdx, Op::OpFwidthCoarse) || op == Op::OpCopyObject || op == Op::OpPhi;
}

bool is_component_wise_glsl(std::uint32_t number) {
  if (number >= GLSLstd450Round && number <= GLSLstd450InverseSqrt) return true;
  // Modf and Frexp write through a pointer, FrexpStruct returns a structure.
  if (number == GLSLstd450Frexp || number == GLSLstd450FrexpStruct) return false;
  if (number >= GLSLstd450FMin && number <= GLSLstd450Ldexp) return true;
  return number == GLSLstd450FindILsb || number == GLSLstd450FindSMsb || number == GLSLstd450FindUMsb ||
         (number >= GLSLstd450NMin && number <= GLSLstd450NClamp);
}

bool is_removable_core(spv::Op op) {
  using spv::Op;
  if (is_component_wise_core(op)) return true;
  if (in_range(op, Op::OpVectorExtractDynamic, Op::OpTranspose)) return true;  // composites
  if (in_range(op, Op::OpConvertFToU, Op::OpBitcast)) return true;
  if (in_range(op, Op::OpSNegate, Op::OpSMulExtended)) return true;  // arithmetic, dot, matrices
  if (in_range(op, Op::OpAny, Op::OpFUnordGreaterThanEqual)) return true;
  if (in_range(op, Op::OpShiftRightLogical, Op::OpBitCount)) return true;
  if (in_range(op, Op::OpSampledImage, Op::OpImageRead)) return true;
  if (in_range(op, Op::OpImage, Op::OpImageQuerySamples)) return true;
  switch (op) {
    case Op::OpUndef:
    case Op::OpLoad:
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain:
    case Op::OpArrayLength:
    case Op::OpSelect:
    case Op::OpCopyLogical: return true;
    default: return false;
  }
}

bool is_removable_glsl(std::uint32_t number) {
  return number != GLSLstd450Modf && number != GLSLstd450Frexp && number != GLSLstd450Bad;
}

constexpr std::uint32_t kVolatile = static_cast<std::uint32_t>(spv::MemoryAccessMask::Volatile);

}  // namespace

bool is_rearrangement(spv::Op op) {
  switch (op) {
    case spv::Op::OpCompositeConstruct:
    case spv::Op::OpCompositeExtract:
    case spv::Op::OpCompositeInsert:
    case spv::Op::OpVectorShuffle:
    case spv::Op::OpCopyObject:
    case spv::Op::OpTranspose: return true;
    default: return false;
  }
}

bool is_glsl_inst(const Module& module, InstRef inst) {
  if (module[inst].op != spv::Op::OpExtInst) return false;
  const InstRef import = module.def(module.operand(inst, 0).word);
  return import && is_text(module.operands(import), "GLSL.std.450");
}

bool is_removable(const Module& module, InstRef inst) {
  const spv::Op op = module[inst].op;
  if (module[inst].result == 0) return false;
  if (op == spv::Op::OpExtInst) return is_glsl_inst(module, inst) && is_removable_glsl(module.operand(inst, 1).word);
  if (op == spv::Op::OpLoad) return (module.operand(inst, 1).word & kVolatile) == 0;
  return is_removable_core(op);
}

bool is_component_wise(const Module& module, InstRef inst) {
  const spv::Op op = module[inst].op;
  if (op == spv::Op::OpExtInst)
    return is_glsl_inst(module, inst) && is_component_wise_glsl(module.operand(inst, 1).word);
  return is_component_wise_core(op) || op == spv::Op::OpSelect;
}

std::uint32_t first_value_operand(const Module& module, InstRef inst) {
  return module[inst].op == spv::Op::OpExtInst ? 2 : 0;
}

namespace {

std::set<Id> decorated_ids(const Module& module, spv::Decoration decoration) {
  std::set<Id> ids;
  for (const InstRef inst : module.annotations)
    if (module[inst].op == spv::Op::OpDecorate &&
        static_cast<spv::Decoration>(module.operand(inst, 1).word) == decoration)
      ids.insert(module.operand(inst, 0).word);
  return ids;
}

}  // namespace

bool decorates_id(spv::Op op) {
  return op == spv::Op::OpDecorate || op == spv::Op::OpDecorateId || op == spv::Op::OpDecorateString;
}

std::set<Id> no_contraction_ids(const Module& module) { return decorated_ids(module, spv::Decoration::NoContraction); }

std::set<Id> relaxed_ids(const Module& module) { return decorated_ids(module, spv::Decoration::RelaxedPrecision); }

std::set<Id> own_math_mode_ids(const Module& module) { return decorated_ids(module, spv::Decoration::FPFastMathMode); }

}  // namespace varylink::spirv
