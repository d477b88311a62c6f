#include "spirv/cleanup/trim_capabilities.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>

#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"

namespace varylink::spirv {
namespace {

bool has_number_type(const Module& module, spv::Op op, std::uint32_t width) {
  return std::any_of(module.types.begin(), module.types.end(),
                     [&](InstRef inst) { return module[inst].op == op && module.operand(inst, 0).word == width; });
}

template <typename Predicate>
bool any_inst(const Module& module, Predicate predicate) {
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      if (std::any_of(block.body.begin(), block.body.end(), predicate)) return true;
  return false;
}

bool has_op_between(const Module& module, spv::Op first, spv::Op last) {
  return any_inst(module, [&](InstRef inst) { return module[inst].op >= first && module[inst].op <= last; });
}

bool has_interpolation(const Module& module) {
  return any_inst(module, [&](InstRef inst) {
    const std::uint32_t number = module.operand(inst, 1).word;
    return is_glsl_inst(module, inst) && number >= GLSLstd450InterpolateAtCentroid &&
           number <= GLSLstd450InterpolateAtOffset;
  });
}

// The Sample decoration and the built-ins that come with sample shading, on variables and on members.
bool has_sample_shading(const Module& module) {
  return std::any_of(module.annotations.begin(), module.annotations.end(), [&](InstRef inst) {
    const bool on_member = module[inst].op == spv::Op::OpMemberDecorate;
    const auto decoration = static_cast<spv::Decoration>(module.operand(inst, on_member ? 2 : 1).word);
    const auto built_in = static_cast<spv::BuiltIn>(module.operand(inst, on_member ? 3 : 2).word);
    if (decoration == spv::Decoration::Sample) return true;
    return decoration == spv::Decoration::BuiltIn &&
           (built_in == spv::BuiltIn::SampleId || built_in == spv::BuiltIn::SamplePosition);
  });
}

bool contains_16_bit(const Module& module, Id type) {
  const auto operands = module.operands(module.def(type));
  switch (module.def_op(type)) {
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat: return operands[0].word == 16;
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
    case spv::Op::OpTypeArray: return contains_16_bit(module, operands[0].word);
    case spv::Op::OpTypeStruct:
      return std::any_of(operands.begin(), operands.end(),
                         [&](Operand member) { return contains_16_bit(module, member.word); });
    default: return false;
  }
}

bool has_16_bit_interface(const Module& module) {
  return std::any_of(module.types.begin(), module.types.end(), [&](InstRef inst) {
    if (module[inst].op != spv::Op::OpVariable) return false;
    const auto storage = static_cast<spv::StorageClass>(module.operand(inst, 0).word);
    return (storage == spv::StorageClass::Input || storage == spv::StorageClass::Output) &&
           contains_16_bit(module, pointee_type(module, module[inst].type));
  });
}

bool is_needed(const Module& module, spv::Capability capability) {
  switch (capability) {
    case spv::Capability::Float64: return has_number_type(module, spv::Op::OpTypeFloat, 64);
    case spv::Capability::Float16: return has_number_type(module, spv::Op::OpTypeFloat, 16);
    case spv::Capability::Int64: return has_number_type(module, spv::Op::OpTypeInt, 64);
    case spv::Capability::Int16: return has_number_type(module, spv::Op::OpTypeInt, 16);
    case spv::Capability::Int8: return has_number_type(module, spv::Op::OpTypeInt, 8);
    case spv::Capability::StorageInputOutput16: return has_16_bit_interface(module);
    case spv::Capability::InterpolationFunction: return has_interpolation(module);
    case spv::Capability::ImageQuery:
      return has_op_between(module, spv::Op::OpImageQuerySizeLod, spv::Op::OpImageQuerySamples);
    case spv::Capability::DerivativeControl:
      return has_op_between(module, spv::Op::OpDPdxFine, spv::Op::OpFwidthCoarse);
    case spv::Capability::SampleRateShading: return has_sample_shading(module);
    default: return true;
  }
}

// Which modules before SPIR-V 1.3 have for these capabilities, and for nothing else.
void trim_16_bit_storage(Module& module) {
  for (const spv::Capability capability :
       {spv::Capability::StorageBuffer16BitAccess, spv::Capability::UniformAndStorageBuffer16BitAccess,
        spv::Capability::StoragePushConstant16, spv::Capability::StorageInputOutput16})
    if (module.has_capability(capability)) return;
  for (const InstRef inst : module.extensions)
    if (decode_string(module.operands(inst), 0) == "SPV_KHR_16bit_storage") module.kill(inst);
  module.sweep();
}

}  // namespace

void trim_capabilities(Module& module) {
  // Most of these imply Shader; a module may rely on that instead of declaring it.
  if (!module.has_capability(spv::Capability::Shader)) return;
  for (const InstRef inst : module.capabilities)
    if (!is_needed(module, static_cast<spv::Capability>(module.operand(inst, 0).word))) module.kill(inst);
  module.sweep();
  trim_16_bit_storage(module);
}

}  // namespace varylink::spirv
