#include "analysis/discontinuity.h"

#include <spirv/unified1/GLSL.std.450.h>

#include "analysis/backward_reach.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/uses.h"

namespace varylink::analysis {
namespace {

using spirv::InstRef;
using spirv::Module;
using spv::Op;

bool in_range(Op op, Op first, Op last) {
  return static_cast<unsigned>(op) >= static_cast<unsigned>(first) &&
         static_cast<unsigned>(op) <= static_cast<unsigned>(last);
}

bool glsl_jumps(std::uint32_t number) {
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
    case GLSLstd450Atan2: return true;
    default: return number >= GLSLstd450PackSnorm4x8 && number <= GLSLstd450UnpackDouble2x32;
  }
}

bool stores_to_output(const Module& module, InstRef store) {
  spirv::Id pointer = module.operand(store, 0).word;
  while (module.def_op(pointer) == Op::OpAccessChain || module.def_op(pointer) == Op::OpInBoundsAccessChain)
    pointer = module.operand(module.def(pointer), 0).word;
  return module.def_op(pointer) == Op::OpVariable &&
         static_cast<spv::StorageClass>(module.operand(module.def(pointer), 0).word) == spv::StorageClass::Output;
}

// Samples with filtering change smoothly with their coordinates; everything else that takes an image addresses texels.
bool is_filtered_sample(Op op) {
  return in_range(op, Op::OpImageSampleImplicitLod, Op::OpImageSampleExplicitLod) ||
         in_range(op, Op::OpImageSampleProjImplicitLod, Op::OpImageSampleProjExplicitLod);
}

// Small changes of the operands may make large changes of whatever comes of this.
bool jumps(const Module& module, InstRef inst) {
  const Op op = module[inst].op;
  if (spirv::is_debug_inst(module, inst)) return false;
  if (op == Op::OpStore) return !stores_to_output(module, inst);
  if (op == Op::OpExtInst) return !spirv::is_glsl_inst(module, inst) || glsl_jumps(module.operand(inst, 1).word);
  if (is_filtered_sample(op)) return false;
  if (in_range(op, Op::OpDPdx, Op::OpFwidthCoarse)) return false;
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
  return reaching(module, function, [&](InstRef inst) { return jumps(module, inst); });
}

}  // namespace varylink::analysis
