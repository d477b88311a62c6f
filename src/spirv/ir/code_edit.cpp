#include "spirv/ir/code_edit.h"

namespace varylink::io {

using spirv::InstRef;
using spirv::Module;

void CodeEdit::apply(Module& module, spirv::Id entry_function) {
  for (spirv::Function& function : module.functions)
    for (std::size_t b = 0; b < function.blocks.size(); ++b)
      rebuild(module, function.blocks[b].body, function.result == entry_function && b == 0);
  for (const InstRef inst : dead_) module.kill(inst);
  if (replacements_.empty()) return;
  for (const spirv::Function& function : module.functions)
    for (const spirv::Block& block : function.blocks)
      for (const InstRef inst : block.body) replace_in(module, inst);
  for (const InstRef inst : module.annotations) replace_in(module, inst);
}

void CodeEdit::rebuild(const Module& module, std::vector<InstRef>& body, bool is_start) const {
  std::vector<InstRef> result;
  std::size_t variables_end = 0;  // all variables of a function stand at the front of its first block
  if (is_start) {
    result = locals_;
    for (std::size_t i = 0; i < body.size(); ++i)
      if (module[body[i]].op == spv::Op::OpVariable) variables_end = i + 1;
  }
  for (std::size_t i = 0; i <= body.size(); ++i) {
    if (is_start && i == variables_end) result.insert(result.end(), start_.begin(), start_.end());
    if (i == body.size()) break;
    if (const auto found = before_.find(body[i]); found != before_.end())
      result.insert(result.end(), found->second.begin(), found->second.end());
    result.push_back(body[i]);
  }
  body = std::move(result);
}

void CodeEdit::replace_in(Module& module, InstRef inst) const {
  const auto operands = module.operands(inst);
  for (std::uint32_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].is_id) continue;
    const auto found = replacements_.find(operands[i].word);
    if (found != replacements_.end()) module.set_operand(inst, i, spirv::id(found->second));
  }
}

}  // namespace varylink::io
