#include "verify/reflect_code.h"

#include <algorithm>

#include "spirv/ir/call_tree.h"

namespace varylink::verify {
namespace {

using spv::Op;

// Instructions of GLSL.std.450 whose result is discontinuous in the operand: Round, RoundEven, Trunc, FSign,
// SSign, Floor, Ceil, Fract, Modf, ModfStruct, Step.
bool is_discontinuous_std450(std::uint32_t number) {
  return (number >= 1 && number <= 3) || (number >= 6 && number <= 10) || number == 35 || number == 36 || number == 48;
}

bool is_discontinuous(Op op) {
  switch (op) {
    case Op::OpFOrdEqual:
    case Op::OpFUnordEqual:
    case Op::OpFOrdNotEqual:
    case Op::OpFUnordNotEqual:
    case Op::OpFOrdLessThan:
    case Op::OpFUnordLessThan:
    case Op::OpFOrdGreaterThan:
    case Op::OpFUnordGreaterThan:
    case Op::OpFOrdLessThanEqual:
    case Op::OpFUnordLessThanEqual:
    case Op::OpFOrdGreaterThanEqual:
    case Op::OpFUnordGreaterThanEqual:
    case Op::OpIsNan:
    case Op::OpIsInf:
    case Op::OpConvertFToS:
    case Op::OpConvertFToU:
    case Op::OpFMod:
    case Op::OpFRem:
    case Op::OpImageFetch:
    case Op::OpImageGather:
    case Op::OpImageDrefGather:
    case Op::OpImageSampleDrefImplicitLod:
    case Op::OpImageSampleDrefExplicitLod:
    case Op::OpImageSampleProjDrefImplicitLod:
    case Op::OpImageSampleProjDrefExplicitLod:
    case Op::OpKill:
    case Op::OpTerminateInvocation:
    case Op::OpDemoteToHelperInvocation: return true;
    default: return false;
  }
}

bool is_access(Op op) { return op == Op::OpAccessChain || op == Op::OpInBoundsAccessChain; }

// Records the built-in that one access touches: the variable's own, or the members of its block.
class BuiltinCollector {
 public:
  explicit BuiltinCollector(Shader& shader) : shader_(shader) {}

  // `indices` are the ids of an access chain, empty if the whole variable is accessed.
  void access(spirv::Id variable, std::span<const spirv::Operand> indices, bool writes) {
    auto& found = writes ? shader_.builtins_written : shader_.builtins_read;
    if (const auto own = varyings::decorations_of(shader_.module, variable).value(spv::Decoration::BuiltIn)) {
      found.insert(static_cast<spv::BuiltIn>(*own));
      return;
    }
    spirv::Id type = shader_.module.operand(shader_.module.def(shader_.module.type_of(variable)), 1).word;
    if (shader_.module.def_op(type) == Op::OpTypeArray) {
      type = shader_.module.operand(shader_.module.def(type), 0).word;
      if (!indices.empty()) indices = indices.subspan(1);
    }
    if (shader_.module.def_op(type) != Op::OpTypeStruct) return;
    const auto members = shader_.module.operands(shader_.module.def(type));
    std::optional<std::int64_t> only;
    if (!indices.empty()) only = varyings::constant_int(shader_.module, indices[0].word);
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      if (only && *only != i) continue;
      const auto builtin = varyings::member_decorations_of(shader_.module, type, i).value(spv::Decoration::BuiltIn);
      if (builtin) found.insert(static_cast<spv::BuiltIn>(*builtin));
    }
  }

 private:
  Shader& shader_;
};

bool is_interface_variable(const spirv::Module& module, spirv::Id value) {
  if (module.def_op(value) != Op::OpVariable) return false;
  const auto storage = static_cast<spv::StorageClass>(module.operand(module.def(value), 0).word);
  return storage == spv::StorageClass::Input || storage == spv::StorageClass::Output;
}

bool is_output(const spirv::Module& module, spirv::Id variable) {
  return static_cast<spv::StorageClass>(module.operand(module.def(variable), 0).word) == spv::StorageClass::Output;
}

void collect_builtins(Shader& shader, const spirv::Block& block) {
  BuiltinCollector collector(shader);
  const spirv::Module& module = shader.module;
  for (const spirv::InstRef ref : block.body) {
    const auto operands = module.operands(ref);
    if (operands.empty()) continue;
    const Op op = module[ref].op;
    const spirv::Id base = operands[0].is_id ? operands[0].word : 0;
    if (!is_interface_variable(module, base)) continue;
    if (is_access(op)) collector.access(base, operands.subspan(1), is_output(module, base));
    if (op == Op::OpLoad) collector.access(base, {}, false);
    if (op == Op::OpStore || op == Op::OpCopyMemory) collector.access(base, {}, true);
  }
}

// Whether the fragment stage sees a difference between one and several samples per pixel.
bool depends_on_sample_position(const Shader& shader) {
  for (const spv::BuiltIn builtin : {spv::BuiltIn::SampleId, spv::BuiltIn::SamplePosition, spv::BuiltIn::SampleMask})
    if (shader.builtins_read.count(builtin) != 0 || shader.builtins_written.count(builtin) != 0) return true;
  return std::any_of(shader.inputs.begin(), shader.inputs.end(), [](const varyings::InterfaceVariable& variable) {
    return std::any_of(variable.leaves.begin(), variable.leaves.end(), [](const varyings::Leaf& leaf) {
      return leaf.interpolation.centroid || leaf.interpolation.sample;
    });
  });
}

bool is_std450(const spirv::Module& module, spirv::Id set) {
  const spirv::InstRef import = module.def(set);
  return import && spirv::decode_string(module.operands(import), 0) == "GLSL.std.450";
}

void note_operation(Shader& shader, const spirv::Inst& inst, std::span<const spirv::Operand> operands) {
  if (is_discontinuous(inst.op)) shader.has_discontinuities = true;
  if (inst.op != Op::OpExtInst || operands.size() < 2 || !is_std450(shader.module, operands[0].word)) return;
  const std::uint32_t number = operands[1].word;
  if (is_discontinuous_std450(number)) shader.has_discontinuities = true;
  constexpr std::uint32_t kInterpolateAtCentroid = 76, kInterpolateAtOffset = 78;
  if (number >= kInterpolateAtCentroid && number <= kInterpolateAtOffset)
    shader.samples_differ = shader.interpolates_at = true;
}

}  // namespace

std::vector<const spirv::Function*> call_tree(const spirv::Module& module, spirv::Id entry_function) {
  std::vector<const spirv::Function*> result;
  for (const spirv::Id id : spirv::call_tree(module, {entry_function}))
    if (const spirv::Function* function = module.function(id)) result.push_back(function);
  return result;
}

std::vector<bool> used_ids(const spirv::Module& module, const std::vector<const spirv::Function*>& functions) {
  std::vector<bool> used(module.bound, false);
  for (const spirv::Function* function : functions)
    for (const spirv::Block& block : function->blocks)
      for (const spirv::InstRef ref : block.body)
        for (const spirv::Operand operand : module.operands(ref))
          if (operand.is_id && operand.word < used.size()) used[operand.word] = true;
  return used;
}

void reflect_code(Shader& shader, const std::vector<const spirv::Function*>& functions) {
  for (const spirv::Function* function : functions) {
    for (const spirv::Block& block : function->blocks) {
      collect_builtins(shader, block);
      for (const spirv::InstRef ref : block.body)
        note_operation(shader, shader.module[ref], shader.module.operands(ref));
    }
  }
  if (shader.stage != Stage::fragment) return;
  shader.samples_differ = shader.samples_differ || depends_on_sample_position(shader);
}

spirv::Id root_variable(const spirv::Module& module, spirv::Id value) {
  constexpr int kLongestChain = 64;
  for (int step = 0; step < kLongestChain; ++step) {
    const spirv::InstRef def = module.def(value);
    if (!def) return 0;
    switch (module[def].op) {
      case Op::OpVariable: return value;
      case Op::OpLoad:
      case Op::OpAccessChain:
      case Op::OpInBoundsAccessChain:
      case Op::OpCopyObject:
      case Op::OpSampledImage:
      case Op::OpImage: value = module.operand(def, 0).word; break;
      default: return 0;
    }
  }
  return 0;
}

}  // namespace varylink::verify
