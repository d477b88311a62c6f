#include "varyings/reflect/semantics.h"

#include <algorithm>

#include "spirv/ir/globals.h"

namespace varylink::varyings {

Semantics::Semantics(const spirv::Module& module) : module_(module) {
  const auto is_semantic = [](const spirv::Operand& operand) {
    return operand.word == static_cast<std::uint32_t>(spv::Decoration::UserSemantic);
  };
  for (const spirv::InstRef inst : module.annotations) {
    if (module.is_dead(inst)) continue;
    const auto operands = module.operands(inst);
    const spv::Op op = module[inst].op;
    if (op == spv::Op::OpDecorateString && is_semantic(operands[1]))
      variables_[operands[0].word] = spirv::decode_string(operands, 2);
    if (op == spv::Op::OpMemberDecorateString && is_semantic(operands[2]))
      members_[{operands[0].word, operands[1].word}] = spirv::decode_string(operands, 3);
  }
}

std::string Semantics::at(const InterfaceVariable& variable, const std::vector<std::uint32_t>& path) const {
  if (variables_.empty() && members_.empty()) return {};
  const auto found = variables_.find(variable.id);
  std::string semantic = found == variables_.end() ? std::string() : found->second;
  spirv::Id type = variable.element_type;
  for (const std::uint32_t step : path) {
    if (const auto member = members_.find({type, step}); member != members_.end()) semantic = member->second;
    type = spirv::element_type(module_, type, step);
  }
  return semantic;
}

bool may_have_semantics(const spirv::Module& module) {
  return std::any_of(module.extensions.begin(), module.extensions.end(), [&](spirv::InstRef inst) {
    return spirv::decode_string(module.operands(inst), 0) == "SPV_GOOGLE_hlsl_functionality1";
  });
}

void decorate_semantic(spirv::Module& module, spirv::Id variable, const std::string& semantic) {
  if (semantic.empty()) return;
  std::vector<spirv::Operand> operands = {spirv::id(variable),
                                          spirv::lit(static_cast<std::uint32_t>(spv::Decoration::UserSemantic))};
  const std::vector<spirv::Operand> text = spirv::encode_string(semantic);
  operands.insert(operands.end(), text.begin(), text.end());
  module.annotations.push_back(module.create(spv::Op::OpDecorateString, 0, 0, operands));
}

}  // namespace varylink::varyings
