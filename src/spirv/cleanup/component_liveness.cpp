#include "spirv/cleanup/component_liveness.h"

#include <algorithm>

#include "base/seeded_fault.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {

ComponentLiveness::ComponentLiveness(const Module& module) : module_(module), live_(module.bound, 0) {
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      for (const InstRef inst : block.body)
        if (!is_removable(module, inst) && !is_debug_inst(module, inst)) need_operands(inst);
  while (!work_.empty()) {
    const Id value = work_.back();
    work_.pop_back();
    spread(value);
  }
}

void ComponentLiveness::need(Id value, Mask mask) {
  if (value >= live_.size()) return;
  if (component_count(module_, module_.type_of(value)) <= 1 && mask != 0) mask = kAll;
  if ((mask & ~live_[value]) == 0) return;
  live_[value] |= mask;
  work_.push_back(value);
}

void ComponentLiveness::need_operands(InstRef inst, Mask mask) {
  for (const Operand& operand : module_.operands(inst))
    if (operand.is_id) need(operand.word, mask);
}

void ComponentLiveness::spread(Id value) {
  const InstRef def = module_.def(value);
  if (!def) return;
  const Mask mask = live_[value];
  switch (module_[def].op) {
    case spv::Op::OpCompositeExtract: return spread_extract(def);
    case spv::Op::OpCompositeConstruct: return spread_construct(def, mask);
    case spv::Op::OpCompositeInsert: return spread_insert(def, mask);
    case spv::Op::OpVectorShuffle: return spread_shuffle(def, mask);
    case spv::Op::OpVectorTimesScalar:
      need(module_.operand(def, 0).word, mask);
      return need(module_.operand(def, 1).word, kAll);
    default: break;
  }
  if (!is_component_wise(module_, def)) return need_operands(def);
  const std::uint32_t width = component_count(module_, module_[def].type);
  for (const Operand& operand : module_.operands(def)) {
    if (!operand.is_id) continue;
    const bool same_width = component_count(module_, module_.type_of(operand.word)) == width;
    need(operand.word, same_width ? mask : kAll);
  }
}

void ComponentLiveness::spread_extract(InstRef def) {
  const Id composite = module_.operand(def, 0).word;
  const bool is_vector = component_count(module_, module_.type_of(composite)) > 1;
  if (is_vector && seeded_fault("liveness-forgets-extracts")) return;
  need(composite, is_vector ? Mask{1} << (module_.operand(def, 1).word & 31) : kAll);
}

void ComponentLiveness::spread_construct(InstRef def, Mask mask) {
  if (component_count(module_, module_[def].type) <= 1) return need_operands(def);
  std::uint32_t at = 0;
  for (const Operand& operand : module_.operands(def)) {
    const std::uint32_t width = std::max(1u, component_count(module_, module_.type_of(operand.word)));
    const Mask part = (mask >> at) & ((Mask{1} << width) - 1);
    if (part != 0) need(operand.word, part);
    at += width;
  }
}

void ComponentLiveness::spread_insert(InstRef def, Mask mask) {
  const Id object = module_.operand(def, 0).word;
  const Id composite = module_.operand(def, 1).word;
  const bool is_vector = component_count(module_, module_[def].type) > 1;
  if (!is_vector) return need_operands(def);
  const Mask bit = Mask{1} << (module_.operand(def, 2).word & 31);
  if ((mask & bit) != 0) need(object, kAll);
  const Mask rest = mask & ~bit & ((Mask{1} << component_count(module_, module_[def].type)) - 1);
  if (rest != 0) need(composite, rest);
}

void ComponentLiveness::spread_shuffle(InstRef def, Mask mask) {
  const Id first = module_.operand(def, 0).word;
  const Id second = module_.operand(def, 1).word;
  const std::uint32_t first_width = component_count(module_, module_.type_of(first));
  for (std::uint32_t lane = 0; lane + 2 < module_.operands(def).size(); ++lane) {
    const std::uint32_t source = module_.operand(def, 2 + lane).word;
    if ((mask >> lane & 1) == 0 || source == 0xffffffffu) continue;
    if (source < first_width)
      need(first, Mask{1} << source);
    else
      need(second, Mask{1} << (source - first_width));
  }
}

}  // namespace varylink::spirv
