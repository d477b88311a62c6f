#include "varyings/scalarize/built_in_proxies.h"

#include <algorithm>
#include <map>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/decoration_index.h"
#include "varyings/scalarize/variable_code.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

bool is_plain(spv::BuiltIn kind) {
  switch (kind) {
    case spv::BuiltIn::Position:
    case spv::BuiltIn::PointSize:
    case spv::BuiltIn::ClipDistance:
    case spv::BuiltIn::CullDistance: return true;
    default: return false;
  }
}

bool is_arrayed(const Entry& entry, Direction direction) {
  return direction == Direction::input || entry.stage == Stage::tess_control;
}

// Nothing but BuiltIn and Block stands on the variable, its block and the block's members.
bool is_undecorated(const Module& module, const BuiltIn& built_in) {
  const auto says_nothing = [](const Decorations& decorations) {
    return std::all_of(decorations.list.begin(), decorations.list.end(), [](const auto& entry) {
      return entry.first == spv::Decoration::BuiltIn || entry.first == spv::Decoration::Block;
    });
  };
  if (!says_nothing(decorations_of(module, built_in.variable))) return false;
  if (!built_in.member) return true;
  const Id block = spirv::type_without_arrays(module, spirv::pointee_type(module, module.type_of(built_in.variable)));
  return says_nothing(decorations_of(module, block)) &&
         says_nothing(member_decorations_of(module, block, *built_in.member));
}

void kill_debug_uses(Module& module, Id variable) {
  const spirv::Uses uses(module);
  for (const InstRef debug : uses.debug_uses_of(variable)) module.kill(debug);
}

// Length of the outermost array of a variable.
std::uint32_t vertices_of(const Module& module, Id variable) {
  return array_length(module, spirv::pointee_type(module, module.type_of(variable))).value_or(0);
}

}  // namespace

bool follow_built_in(const Module& module, const std::vector<BuiltIn>& members, const PointerAccess& access,
                     bool arrayed, BuiltInUse& use) {
  std::vector<Id> indices = access.indices;
  if (arrayed) {
    if (indices.empty()) return false;
    use.vertex.push_back(indices.front());
    indices.erase(indices.begin());
  }
  use.built_in = members.front();
  if (members.front().member) {
    const auto number = indices.empty() ? std::nullopt : constant_int(module, indices.front());
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&](const BuiltIn& m) { return number && std::int64_t{*m.member} == *number; });
    if (found == members.end()) return false;
    use.built_in = *found;
    indices.erase(indices.begin());
  }
  use.inside = indices;
  const bool is_array = module.def_op(use.built_in.type) == spv::Op::OpTypeArray;
  if (indices.empty()) return !is_array;
  const auto index = constant_int(module, indices.front());
  if (!index && is_array) return false;
  if (index && (*index < 0 || *index >= std::int64_t{spirv::element_count(module, use.built_in.type)})) return false;
  if (index) use.component = static_cast<std::uint32_t>(*index);
  return indices.size() == 1;
}

std::optional<BuiltInUses> plain_built_in_uses(const Module& module, const Entry& entry, Direction direction) {
  const bool arrayed = is_arrayed(entry, direction);
  std::map<Id, std::vector<BuiltIn>> by_variable;
  for (const BuiltIn& built_in : built_ins(module, entry, direction))
    by_variable[built_in.variable].push_back(built_in);
  BuiltInUses found;
  const spirv::Uses uses(module);
  for (const auto& [variable, members] : by_variable) {
    const auto plain = [](const BuiltIn& built_in) { return is_plain(built_in.kind); };
    if (std::none_of(members.begin(), members.end(), plain)) continue;
    const auto may_go = [&](const BuiltIn& built_in) { return plain(built_in) && is_undecorated(module, built_in); };
    if (!std::all_of(members.begin(), members.end(), may_go)) return std::nullopt;
    if (arrayed && vertices_of(module, variable) == 0) return std::nullopt;
    const VariableAccesses accesses = accesses_of(module, uses, variable);
    if (accesses.obstacle) return std::nullopt;
    for (const PointerAccess& access : accesses.accesses) {
      BuiltInUse use;
      use.kind = access.kind;
      use.inst = access.inst;
      if (access.kind == PointerAccess::Kind::interpolate || !follow_built_in(module, members, access, arrayed, use))
        return std::nullopt;
      found.uses.push_back(std::move(use));
    }
    found.declared.insert(found.declared.end(), members.begin(), members.end());
  }
  return found;
}

void replace_built_ins(Module& module, Entry& entry, Direction direction, const BuiltInUses& uses,
                       const std::vector<Proxy>& proxies) {
  spirv::Globals globals(module);
  spirv::Emitter emitter(module, globals);
  spirv::CodeEdit edit;
  std::map<spv::BuiltIn, Id> variables;
  for (const Proxy& each : proxies) {
    const auto held = std::find_if(uses.declared.begin(), uses.declared.end(),
                                   [&](const BuiltIn& declared) { return declared.kind == each.built_in; });
    if (held == uses.declared.end()) continue;
    Id type = held->type;
    if (is_arrayed(entry, direction)) type = globals.array_type(type, vertices_of(module, held->variable));
    const Id variable = add_interface_variable(module, globals, entry, direction, type, each.name);
    spirv::decorate(module, variable, spv::Decoration::Location, each.location);
    variables.emplace(each.built_in, variable);
  }
  for (const BuiltInUse& use : uses.uses) {
    std::vector<Id> indices = use.vertex;
    indices.insert(indices.end(), use.inside.begin(), use.inside.end());
    emitter.write_to(edit.before(use.inst));
    const Id type = spirv::pointee_type(module, module.type_of(module.operand(use.inst, 0).word));
    module.set_operand(
        use.inst, 0,
        spirv::id(emitter.chain(storage_class_of(direction), type, variables.at(use.built_in.kind), indices)));
  }
  edit.apply(module, entry.function);
  std::vector<Id> holders;
  for (const BuiltIn& declared : uses.declared) holders.push_back(declared.variable);
  holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
  for (const Id holder : holders) {
    kill_debug_uses(module, holder);
    const spirv::Uses now(module);
    remove_interface_variable(module, holder, accesses_of(module, now, holder));
    std::erase(entry.interface, holder);
  }
  module.sweep();
}

void restore_built_ins(Module& module, Entry& entry, Direction direction, const std::vector<Proxy>& proxies,
                       std::vector<Varying>& varyings) {
  ProxyRemover remover(module, entry, direction);
  spirv::Globals& globals = remover.globals();
  std::map<spv::BuiltIn, Id> variables;
  const auto variable_of = [&](const Proxy& proxy, const Varying& varying) {
    Id& variable = variables[proxy.built_in];
    if (variable != 0) return variable;
    Id type = globals.float_type(32);
    type = proxy.is_array ? globals.array_type(type, proxy.count) : globals.vector_type(type, proxy.count);
    if (is_arrayed(entry, direction)) type = globals.array_type(type, vertices_of(module, varying.variable));
    variable = add_interface_variable(module, globals, entry, direction, type, proxy.name);
    spirv::decorate(module, variable, spv::Decoration::BuiltIn, static_cast<std::uint32_t>(proxy.built_in));
    return variable;
  };
  std::erase_if(varyings, [&](const Varying& varying) {
    const auto found =
        std::find_if(proxies.begin(), proxies.end(), [&](const Proxy& each) { return each.holds(varying.slot); });
    if (found == proxies.end()) return false;
    remover.redirect(*found, varying, variable_of(*found, varying));
    return true;
  });
  remover.finish();
}

}  // namespace varylink::varyings
