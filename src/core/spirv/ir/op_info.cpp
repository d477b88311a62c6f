#include "spirv/ir/op_info.h"

#include "spirv/ir/literal_text.h"
#include "spirv/ir/memory_operands.h"
#include "spirv/ir/operations.h"

namespace varylink::spirv {
namespace {

constexpr std::uint32_t kVolatile = static_cast<std::uint32_t>(spv::MemoryAccessMask::Volatile);

}  // namespace

bool is_rearrangement(spv::Op op) { return row_of(op).is(kArranges); }

bool is_spec_constant(spv::Op op) { return op >= spv::Op::OpSpecConstantTrue && op <= spv::Op::OpSpecConstantOp; }

bool is_access_chain(spv::Op op) { return op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain; }

bool is_plain_load(const Module& module, InstRef inst) {
  return module[inst].op == spv::Op::OpLoad && !has_memory_operands(module, inst);
}

bool is_glsl_inst(const Module& module, InstRef inst) {
  if (module[inst].op != spv::Op::OpExtInst) return false;
  const InstRef import = module.def(module.operand(inst, 0).word);
  return import && is_text(module.operands(import), "GLSL.std.450");
}

bool is_removable(const Module& module, InstRef inst) {
  if (module[inst].result == 0) return false;
  if (module[inst].op == spv::Op::OpLoad && (module.operand(inst, 1).word & kVolatile) != 0) return false;
  return row_of(module, inst).is(kRemovable);
}

bool is_component_wise(const Module& module, InstRef inst) { return row_of(module, inst).is(kComponentWise); }

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

}  // namespace varylink::spirv
