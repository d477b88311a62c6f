#include "analysis/cost_decorations.h"

namespace varylink::analysis {
namespace {

bool keeps_from_interpolating(spv::Decoration decoration) {
  return decoration == spv::Decoration::Flat || decoration == spv::Decoration::BuiltIn ||
         decoration == spv::Decoration::PerVertexKHR || decoration == spv::Decoration::PerPrimitiveEXT;
}

}  // namespace

CostDecorations::CostDecorations(const spirv::Module& module) {
  for (const spirv::InstRef inst : module.annotations) {
    const spirv::Id target = module.operand(inst, 0).word;
    if (module[inst].op == spv::Op::OpDecorate) {
      const auto decoration = static_cast<spv::Decoration>(module.operand(inst, 1).word);
      if (keeps_from_interpolating(decoration)) not_interpolated.insert(target);
      if (decoration == spv::Decoration::BufferBlock) buffer_blocks.insert(target);
      if (decoration == spv::Decoration::NoContraction) no_contraction.insert(target);
      if (decoration == spv::Decoration::Location) locations[target] = module.operand(inst, 2).word;
      if (decoration == spv::Decoration::Component) components[target] = module.operand(inst, 2).word;
    } else if (module[inst].op == spv::Op::OpMemberDecorate) {
      if (keeps_from_interpolating(static_cast<spv::Decoration>(module.operand(inst, 2).word)))
        members_not_interpolated.emplace(target, module.operand(inst, 1).word);
    }
  }
}

}  // namespace varylink::analysis
