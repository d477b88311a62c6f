#include "varyings/scalarize/built_in_read_proxies.h"

#include <algorithm>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/decoration_index.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::Module;

// A built-in and its variable have only decorations that do not prevent a proxy.
bool says_nothing_else(const Decorations& decorations) {
  return std::all_of(decorations.list.begin(), decorations.list.end(), [](const auto& entry) {
    switch (entry.first) {
      case spv::Decoration::BuiltIn:
      case spv::Decoration::Block:
      case spv::Decoration::Flat:
      case spv::Decoration::Patch: return true;
      default: return false;
    }
  });
}

bool is_plainly_declared(const Module& module, const BuiltIn& built_in) {
  if (!says_nothing_else(decorations_of(module, built_in.variable))) return false;
  if (!built_in.member) return true;
  const Id block = spirv::pointee_type(module, module.type_of(built_in.variable));
  return module.def_op(block) == spv::Op::OpTypeStruct &&
         says_nothing_else(member_decorations_of(module, block, *built_in.member));
}

bool is_flat(const Module& module, const BuiltIn& built_in) {
  const Id block = spirv::pointee_type(module, module.type_of(built_in.variable));
  const auto has_flat = [](const Decorations& decorations) { return decorations.has(spv::Decoration::Flat); };
  return has_flat(decorations_of(module, built_in.variable)) ||
         (built_in.member && has_flat(member_decorations_of(module, block, *built_in.member)));
}

}  // namespace

std::map<spv::BuiltIn, BuiltInUses> uses_for_read_proxies(const Module& module, const Entry& entry, Direction direction,
                                                          const std::set<spv::BuiltIn>& kinds) {
  std::map<Id, std::vector<BuiltIn>> by_variable;
  for (const BuiltIn& built_in : built_ins(module, entry, direction))
    by_variable[built_in.variable].push_back(built_in);
  const auto wanted_kind = direction == Direction::input ? PointerAccess::Kind::load : PointerAccess::Kind::store;
  std::map<spv::BuiltIn, BuiltInUses> found;
  const spirv::Uses uses(module);
  for (const auto& [variable, members] : by_variable) {
    const VariableAccesses accesses = accesses_of(module, uses, variable);
    std::map<spv::BuiltIn, BuiltInUses> here;
    for (const BuiltIn& member : members)
      if (kinds.count(member.kind) != 0 && is_plainly_declared(module, member)) here[member.kind].declared = {member};
    bool is_understood = !accesses.obstacle;
    for (const PointerAccess& access : accesses.accesses) {
      BuiltInUse use;
      use.kind = access.kind;
      use.inst = access.inst;
      if (!follow_built_in(module, members, access, false, use)) {
        is_understood = false;
        break;
      }
      const auto target = here.find(use.built_in.kind);
      if (target == here.end()) continue;
      if (access.kind == wanted_kind && is_plain_access(module, access))
        target->second.uses.push_back(std::move(use));
      else
        here.erase(target);
    }
    if (!is_understood) continue;
    for (auto& [kind, each] : here)
      if (!each.uses.empty()) found.emplace(kind, std::move(each));
  }
  return found;
}

void add_read_proxy(Module& module, Entry& entry, Direction direction, const BuiltInUses& uses, const Proxy& proxy) {
  spirv::Globals globals(module);
  spirv::Emitter emitter(module, globals);
  spirv::CodeEdit edit;
  const spv::StorageClass storage = storage_class_of(direction);
  const BuiltIn& declared = uses.declared.front();
  const Id variable = add_interface_variable(module, globals, entry, direction, declared.type, proxy.name);
  spirv::decorate(module, variable, spv::Decoration::Location, proxy.location);
  const bool is_patch =
      proxy.built_in == spv::BuiltIn::TessLevelOuter || proxy.built_in == spv::BuiltIn::TessLevelInner;
  if (is_patch) spirv::decorate(module, variable, spv::Decoration::Patch);
  if (direction == Direction::input && is_flat(module, declared))
    spirv::decorate(module, variable, spv::Decoration::Flat);
  for (const BuiltInUse& use : uses.uses) {
    emitter.write_to(edit.before(use.inst));
    const Id type = spirv::pointee_type(module, module.type_of(module.operand(use.inst, 0).word));
    const Id pointer = emitter.chain(storage, type, variable, use.inside);
    if (direction == Direction::input)
      module.set_operand(use.inst, 0, spirv::id(pointer));
    else
      emitter.store(pointer, module.operand(use.inst, 1).word);
  }
  edit.apply(module, entry.function);
}

void read_built_ins(Module& module, Entry& entry, const std::vector<Proxy>& proxies, std::vector<Varying>& inputs) {
  const std::vector<BuiltIn> declared = built_ins(module, entry, Direction::input);
  ProxyRemover remover(module, entry, Direction::input);
  std::erase_if(inputs, [&](const Varying& input) {
    const auto proxy =
        std::find_if(proxies.begin(), proxies.end(), [&](const Proxy& each) { return each.holds(input.slot); });
    if (proxy == proxies.end()) return false;
    const auto built_in = std::find_if(declared.begin(), declared.end(),
                                       [&](const BuiltIn& each) { return each.kind == proxy->built_in; });
    remover.redirect(*proxy, input, built_in->variable, built_in->member);
    return true;
  });
  remover.finish();
}

}  // namespace varylink::varyings
