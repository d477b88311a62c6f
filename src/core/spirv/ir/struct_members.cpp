#include "spirv/ir/struct_members.h"

#include <map>

#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {
namespace {

using Numbers = std::map<std::uint32_t, std::uint32_t>;  // of members, before and now

bool is_about_member(spv::Op op) {
  return op == spv::Op::OpMemberDecorate || op == spv::Op::OpMemberDecorateString || op == spv::Op::OpMemberName;
}

// What is said of the old type, and of its members, is said of the new one, too.
void copy_annotations(Module& module, Id from, Id to, const Numbers& now) {
  for (auto* section : {&module.annotations, &module.debug_names}) {
    std::vector<InstRef> copies;
    for (const InstRef inst : *section) {
      const auto said = module.operands(inst);
      if (said.empty() || !said[0].is_id || said[0].word != from) continue;
      std::vector<Operand> operands(said.begin(), said.end());
      operands[0] = id(to);
      const spv::Op op = module[inst].op;
      const auto member = is_about_member(op) ? now.find(operands[1].word) : now.end();
      if (member != now.end()) operands[1] = lit(member->second);
      if (member != now.end() || !is_about_member(op)) copies.push_back(module.create(op, 0, 0, operands));
    }
    section->insert(section->end(), copies.begin(), copies.end());
  }
}

void remove_if_unused(Module& module, Id type) {
  const Uses uses(module);
  if (uses.of(type).empty() && uses.debug_uses_of(type).empty()) remove_global(module, type);
  module.sweep();
}

}  // namespace

Id set_members(Module& module, Globals& globals, Id variable, const StructMembers& members) {
  const InstRef declaration = module.def(variable);
  const Id old_pointer = module.type_of(variable), old_type = pointee_type(module, old_pointer);
  std::vector<Operand> types;
  Numbers now;
  for (const StructMember& member : members) {
    if (member.before) now.emplace(*member.before, static_cast<std::uint32_t>(types.size()));
    types.push_back(id(member.type));
  }
  const Uses uses(module);
  for (const InstRef debug : uses.debug_uses_of(variable)) module.kill(debug);
  for (const InstRef user : uses.of(variable))
    if (is_access_chain(module[user].op))
      module.set_operand(user, 1,
                         id(globals.uint_constant(now.at(*constant_index(module, module.operand(user, 1).word)))));
  const Id type = module.new_id();
  module.types.push_back(module.create(spv::Op::OpTypeStruct, 0, type, std::span<const Operand>(types)));
  copy_annotations(module, old_type, type, now);
  const auto storage = static_cast<spv::StorageClass>(module.operand(declaration, 0).word);
  module.set_type(declaration, globals.pointer_type(storage, type));
  std::erase(module.types, declaration);  // behind what it is made of
  module.types.push_back(declaration);
  remove_if_unused(module, old_pointer);
  remove_if_unused(module, old_type);
  return type;
}

}  // namespace varylink::spirv
