#include "graph/spec_constant.h"

#include "spirv/ir/globals.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::graph {
namespace {

using spirv::Id;
using spirv::InstRef;
using spv::Op;

// The default of a scalar specialization constant; empty for anything else.
std::vector<std::uint32_t> default_of(const spirv::Module& module, InstRef inst) {
  switch (module[inst].op) {
    case Op::OpSpecConstantTrue: return {1};
    case Op::OpSpecConstantFalse: return {0};
    case Op::OpSpecConstant: {
      std::vector<std::uint32_t> words;
      for (const spirv::Operand& operand : module.operands(inst)) words.push_back(operand.word);
      return words;
    }
    default: return {};
  }
}

}  // namespace

std::vector<std::uint32_t> SpecConstantKey::words() const {
  std::vector<std::uint32_t> words = {spec_id};
  words.insert(words.end(), value.begin(), value.end());
  return words;
}

SpecConstantKey SpecConstantKey::from(varyings::ScalarType type, const std::vector<std::uint32_t>& words) {
  return {words.front(), type, {words.begin() + 1, words.end()}};
}

SpecConstants::SpecConstants(const spirv::Module& module) {
  for (const InstRef inst : module.annotations) {
    const auto operands = module.operands(inst);
    if (module[inst].op != Op::OpDecorate || operands[1].word != static_cast<std::uint32_t>(spv::Decoration::SpecId))
      continue;
    const Id constant = operands[0].word;
    const std::uint32_t spec_id = operands[2].word;
    const InstRef def = module.def(constant);
    const auto type = def ? varyings::scalar_type_of(module, module[def].type) : std::nullopt;
    if (!type || !spec_ids_.insert(spec_id).second) {  // which one is meant cannot be told
      std::erase_if(keys_, [&](const auto& entry) { return entry.second.spec_id == spec_id; });
      continue;
    }
    keys_.emplace(constant, SpecConstantKey{spec_id, *type, default_of(module, def)});
  }
  for (const auto& [id, key] : keys_) ids_.emplace(key, id);
}

std::optional<SpecConstantKey> SpecConstants::key_of(Id constant) const {
  const auto found = keys_.find(constant);
  return found == keys_.end() ? std::nullopt : std::optional(found->second);
}

Id SpecConstants::find(const SpecConstantKey& key) const {
  const auto found = ids_.find(key);
  return found == ids_.end() ? 0 : found->second;
}

Id declare(spirv::Module& module, Id type, const SpecConstantKey& key) {
  const Id constant = module.new_id();
  if (key.type.kind == varyings::ScalarKind::boolean) {
    const Op op = key.value.front() != 0 ? Op::OpSpecConstantTrue : Op::OpSpecConstantFalse;
    module.types.push_back(module.create(op, type, constant, {}));
  } else {
    std::vector<spirv::Operand> value;
    for (const std::uint32_t word : key.value) value.push_back(spirv::lit(word));
    module.types.push_back(module.create(Op::OpSpecConstant, type, constant, std::span<const spirv::Operand>(value)));
  }
  spirv::decorate(module, constant, spv::Decoration::SpecId, key.spec_id);
  return constant;
}

}  // namespace varylink::graph
