// Texture reads, image reads and writes, and questions about images.
#include <algorithm>

#include "prove/machine/machine.h"
#include "spirv/tools/names.h"

namespace varylink::prove {
namespace {

bool reads_texture(spv::Op op) {
  switch (op) {
    case spv::Op::OpImageSampleImplicitLod:
    case spv::Op::OpImageSampleExplicitLod:
    case spv::Op::OpImageSampleDrefImplicitLod:
    case spv::Op::OpImageSampleDrefExplicitLod:
    case spv::Op::OpImageSampleProjImplicitLod:
    case spv::Op::OpImageSampleProjExplicitLod:
    case spv::Op::OpImageSampleProjDrefImplicitLod:
    case spv::Op::OpImageSampleProjDrefExplicitLod:
    case spv::Op::OpImageFetch:
    case spv::Op::OpImageGather:
    case spv::Op::OpImageDrefGather:
    case spv::Op::OpImageRead:
    case spv::Op::OpImageQuerySizeLod:
    case spv::Op::OpImageQuerySize:
    case spv::Op::OpImageQueryLod:
    case spv::Op::OpImageQueryLevels:
    case spv::Op::OpImageQuerySamples: return true;
    default: return false;
  }
}

// The level of detail comes from the coordinates of neighbouring invocations.
bool takes_derivatives(spv::Op op) {
  return op == spv::Op::OpImageSampleImplicitLod || op == spv::Op::OpImageSampleDrefImplicitLod ||
         op == spv::Op::OpImageSampleProjImplicitLod || op == spv::Op::OpImageSampleProjDrefImplicitLod ||
         op == spv::Op::OpImageQueryLod;
}

// `at`: where the mask of image operands stands.
bool is_volatile_texel(std::span<const spirv::Operand> operands, std::size_t at) {
  return operands.size() > at &&
         (operands[at].word & static_cast<std::uint32_t>(spv::ImageOperandsMask::VolatileTexel)) != 0;
}

}  // namespace

bool Machine::run_image(spirv::InstRef ref) {
  const spirv::Inst& inst = module_[ref];
  const auto operands = module_.operands(ref);
  if (inst.op == spv::Op::OpSampledImage) {
    set(inst.result,
        {{terms_.apply(Sort::handle, "sampled image", {scalar(operands[0].word), scalar(operands[1].word)})}, {}});
    return true;
  }
  if (inst.op == spv::Op::OpImage) {
    const Term whole = scalar(operands[0].word);
    const Term image =
        terms_.is(whole, "sampled image") ? terms_.children(whole)[0] : terms_.apply(Sort::handle, "image of", {whole});
    set(inst.result, {{image}, {}});
    return true;
  }
  const bool writes = inst.op == spv::Op::OpImageWrite;
  if (!writes && !reads_texture(inst.op)) return false;
  if ((inst.op == spv::Op::OpImageRead && is_volatile_texel(operands, 2)) || (writes && is_volatile_texel(operands, 3)))
    throw Unsupported{"a volatile access to an image"};
  std::vector<Term> parts;
  std::vector<std::uint64_t> literals;
  for (const spirv::Operand& operand : operands) {
    if (!operand.is_id) {
      literals.push_back(operand.word);
      continue;
    }
    const Value part = value(operand.word);
    literals.push_back(0x100000000ull + part.leaves.size());
    parts.insert(parts.end(), part.leaves.begin(), part.leaves.end());
  }
  if (writes) {
    effect("OpImageWrite", parts, literals);
    return true;
  }
  // Storage images may be written; what is read depends on the writes so far.
  if (inst.op == spv::Op::OpImageRead) parts.push_back(state_.leaves[kMemoryLeaf]);
  const std::vector<Sort> sorts = facts_.sorts(inst.type);
  literals.push_back(0);
  Value result;
  for (std::size_t i = 0; i < sorts.size(); ++i) {
    literals.back() = i;
    const std::string name = spirv::name_of(inst.op);
    result.leaves.push_back(takes_derivatives(inst.op) ? across_quad(sorts[i], name, parts, literals)
                                                       : terms_.apply(sorts[i], name, parts, literals));
  }
  set(inst.result, std::move(result));
  return true;
}

}  // namespace varylink::prove
