#include "varyings/scalarize/proxy.h"

#include "varyings/scalarize/variable_code.h"

namespace varylink::varyings {

using spirv::Id;

std::string built_in_name(spv::BuiltIn built_in) {
  switch (built_in) {
    case spv::BuiltIn::Position: return "gl_Position";
    case spv::BuiltIn::PointSize: return "gl_PointSize";
    case spv::BuiltIn::ClipDistance: return "gl_ClipDistance";
    case spv::BuiltIn::Layer: return "gl_Layer";
    case spv::BuiltIn::ViewportIndex: return "gl_ViewportIndex";
    case spv::BuiltIn::PrimitiveId: return "gl_PrimitiveID";
    case spv::BuiltIn::TessLevelOuter: return "gl_TessLevelOuter";
    case spv::BuiltIn::TessLevelInner: return "gl_TessLevelInner";
    default: return "gl_CullDistance";
  }
}

Proxy proxy_of_built_in(Proxy::Stands stands, spv::BuiltIn built_in, const spirv::Module& module, Id type,
                        std::uint32_t location, std::uint32_t count) {
  Proxy proxy;
  proxy.stands = stands;
  proxy.location = location;
  proxy.count = count;
  proxy.is_array = module.def_op(type) == spv::Op::OpTypeArray;
  proxy.name = built_in_name(built_in);
  proxy.built_in = built_in;
  return proxy;
}

std::string Proxy::component_name(Slot slot) const {
  const std::uint32_t component = component_of(slot);
  if (is_array) return name + "[" + std::to_string(component) + "]";
  return count == 1 ? name : name + "." + "xyzw"[component & 3];
}

Id add_interface_variable(spirv::Module& module, spirv::Globals& globals, Entry& entry, Direction direction, Id type,
                          const std::string& name) {
  const Id variable = globals.variable(storage_class_of(direction), type, name);
  spirv::add_to_interface(module, entry.inst, variable);
  entry.interface.push_back(variable);
  return variable;
}

void ProxyRemover::redirect(const Proxy& proxy, const Varying& varying, Id target,
                            const std::optional<std::uint32_t>& member) {
  const spirv::Uses uses(module_);
  VariableAccesses accesses = accesses_of(module_, uses, varying.variable);
  const bool is_component = varying.form == Varying::Form::scalar && (proxy.is_array || proxy.count > 1);
  for (const PointerAccess& access : accesses.accesses) {
    std::vector<Id> indices;
    if (member) indices.push_back(globals_.uint_constant(*member));
    indices.insert(indices.end(), access.indices.begin(), access.indices.end());
    if (is_component) indices.push_back(globals_.uint_constant(proxy.component_of(varying.slot)));
    emitter_.write_to(edit_.before(access.inst));
    const Id type = spirv::pointee_type(module_, module_.type_of(module_.operand(access.inst, 0).word));
    module_.set_operand(access.inst, 0, spirv::id(emitter_.chain(storage_class_of(direction_), type, target, indices)));
  }
  gone_.emplace_back(varying.variable, std::move(accesses));
}

void ProxyRemover::finish() {
  edit_.apply(module_, entry_.function);
  for (const auto& [variable, accesses] : gone_) {
    remove_interface_variable(module_, variable, accesses);
    std::erase(entry_.interface, variable);
  }
  module_.sweep();
}

}  // namespace varylink::varyings
