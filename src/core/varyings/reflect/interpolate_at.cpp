#include "varyings/reflect/interpolate_at.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <vector>

#include "base/seeded_fault.h"
#include "spirv/ir/operations.h"

namespace varylink::varyings {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

bool InterpolateAt::at_offset() const { return number == GLSLstd450InterpolateAtOffset; }

bool is_interpolate_at(const Module& module, InstRef inst) {
  return spirv::row_of(module, inst).is(spirv::kInterpolates);
}

InterpolateAt interpolate_at(const Module& module, InstRef inst) {
  const bool has_operand = module.operands(inst).size() > kInterpolantOperand + 1;
  return {module.operand(inst, 0).word, module.operand(inst, 1).word,
          has_operand ? module.operand(inst, kInterpolantOperand + 1).word : 0};
}

Id emit_interpolate_at(spirv::Emitter& emitter, const InterpolateAt& at, Id type, Id interpolant) {
  const bool at_centroid = at.operand == 0 || seeded_fault("interpolate-at-centroid-always");
  const std::uint32_t centroid = GLSLstd450InterpolateAtCentroid;
  std::vector<spirv::Operand> operands = {spirv::id(at.set), spirv::lit(at_centroid ? centroid : at.number),
                                          spirv::id(interpolant)};
  if (!at_centroid) operands.push_back(spirv::id(at.operand));
  return emitter.emit(spv::Op::OpExtInst, type, operands);
}

}  // namespace varylink::varyings
