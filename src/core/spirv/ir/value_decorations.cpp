#include "spirv/ir/value_decorations.h"

#include <algorithm>

#include "base/seeded_fault.h"
#include "spirv/ir/op_info.h"

namespace varylink::spirv {
namespace {

using spv::Decoration;
using spv::Op;

// Module scope: constants, types, variables.
bool is_global(const Module& module, Id value) {
  const InstRef def = module.def(value);
  if (!def) return true;
  const Op op = module[def].op;
  return op == Op::OpUndef || op == Op::OpVariable || (op >= Op::OpTypeVoid && op <= Op::OpSpecConstantOp);
}

Permissions bit_of(Decoration permission) {
  switch (permission) {
    case Decoration::RelaxedPrecision: return kRelaxedPrecision;
    case Decoration::NoSignedWrap: return kNoSignedWrap;
    default: return kNoUnsignedWrap;
  }
}

}  // namespace

// Rule.
MergeRule merge_rule(Decoration decoration) {
  switch (decoration) {
    case Decoration::NonUniform:
    case Decoration::NoContraction: return MergeRule::obligation;
    case Decoration::RelaxedPrecision:
    case Decoration::NoSignedWrap:
    case Decoration::NoUnsignedWrap: return MergeRule::permission;
    case Decoration::SpecId:
    case Decoration::Block:
    case Decoration::BufferBlock:
    case Decoration::RowMajor:
    case Decoration::ColMajor:
    case Decoration::ArrayStride:
    case Decoration::MatrixStride:
    case Decoration::BuiltIn:
    case Decoration::NoPerspective:
    case Decoration::Flat:
    case Decoration::Patch:
    case Decoration::Centroid:
    case Decoration::Sample:
    case Decoration::Invariant:
    case Decoration::Stream:
    case Decoration::Location:
    case Decoration::Component:
    case Decoration::Index:
    case Decoration::Binding:
    case Decoration::DescriptorSet:
    case Decoration::Offset:
    case Decoration::XfbBuffer:
    case Decoration::XfbStride:
    case Decoration::InputAttachmentIndex:
    case Decoration::PerVertexKHR:
    case Decoration::PerPrimitiveEXT: return MergeRule::none;
    default: return MergeRule::identity;
  }
}

Manners::Manners(const Module& module) {
  for (const InstRef inst : module.annotations) {
    if (!decorates_id(module[inst].op)) continue;
    const auto decoration = static_cast<Decoration>(module.operand(inst, 1).word);
    const MergeRule rule = merge_rule(decoration);
    if (rule == MergeRule::none || decoration == Decoration::NonUniform) continue;  // says what uses it, not how
    Manner& manner = manners_[module.operand(inst, 0).word];
    switch (rule) {
      case MergeRule::obligation: manner.no_contraction = true; break;
      case MergeRule::permission:
        manner.permissions = static_cast<Permissions>(manner.permissions | bit_of(decoration));
        break;
      default: manner.is_own = true;
    }
  }
}

Manner Manners::of(Id value) const {
  const auto found = manners_.find(value);
  return found == manners_.end() ? Manner{} : found->second;
}

std::set<Id> kept_as_written(const Module& module) {
  std::set<Id> kept;
  for (const auto& [value, manner] : Manners(module))
    if (manner.no_contraction || manner.is_own) kept.insert(value);
  return kept;
}

ValueDecorations::ValueDecorations(const Module& module) {
  for (const InstRef inst : module.annotations) {
    if (!decorates_id(module[inst].op)) continue;
    const auto operands = module.operands(inst);
    const MergeRule rule = merge_rule(static_cast<Decoration>(operands[1].word));
    if (rule != MergeRule::obligation && rule != MergeRule::identity) continue;
    Words words;
    for (const Operand& operand : operands.subspan(1)) words.push_back(operand.word);
    Carried& carried = carried_[operands[0].word];
    (rule == MergeRule::obligation ? carried.obligations : carried.identities).push_back(std::move(words));
  }
  for (auto& [value, carried] : carried_) {
    std::sort(carried.obligations.begin(), carried.obligations.end());
    std::sort(carried.identities.begin(), carried.identities.end());
  }
}

bool ValueDecorations::may_stand_for(Id kept, Id gone) const {
  const auto of_gone = carried_.find(gone);
  if (of_gone == carried_.end()) return true;
  const auto of_kept = carried_.find(kept);
  if (of_kept == carried_.end()) return of_gone->second.identities.empty();
  return std::includes(of_kept->second.identities.begin(), of_kept->second.identities.end(),
                       of_gone->second.identities.begin(), of_gone->second.identities.end());
}

void ValueDecorations::pass_on(Module& module, Id kept, Id gone) {
  const auto of_gone = carried_.find(gone);
  if (of_gone == carried_.end() || of_gone->second.obligations.empty() || is_global(module, kept)) return;
  std::vector<Words>& of_kept = carried_[kept].obligations;
  for (const Words& words : carried_.at(gone).obligations) {
    if (std::binary_search(of_kept.begin(), of_kept.end(), words)) continue;
    const bool is_lost = static_cast<Decoration>(words.front()) == Decoration::NonUniform;
    if (is_lost && seeded_fault("copies-lose-non-uniform")) continue;
    of_kept.insert(std::upper_bound(of_kept.begin(), of_kept.end(), words), words);
    std::vector<Operand> operands = {id(kept)};
    for (const std::uint32_t word : words) operands.push_back(lit(word));
    module.annotations.push_back(module.create(Op::OpDecorate, 0, 0, operands));
  }
}

}  // namespace varylink::spirv
