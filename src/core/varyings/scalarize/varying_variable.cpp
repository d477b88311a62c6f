#include "varyings/scalarize/varying_variable.h"

#include "base/seeded_fault.h"
#include "varyings/reflect/interface_variable.h"
#include "varyings/reflect/interpolation_qualifiers.h"

namespace varylink::varyings {

spirv::Id type_id(spirv::Globals& globals, ScalarType type) {
  if (type.kind == ScalarKind::floating) return globals.float_type(type.width);
  return globals.int_type(type.width, type.kind == ScalarKind::sint);
}

namespace {

bool is_forgotten(spv::Decoration decoration) {
  switch (decoration) {
    case spv::Decoration::Flat: return seeded_fault("lower-forgets-flat");
    case spv::Decoration::NoPerspective: return seeded_fault("lower-forgets-noperspective");
    case spv::Decoration::PerVertexKHR: return seeded_fault("lower-forgets-pervertex");
    default: return false;
  }
}

}  // namespace

void decorate_qualifiers(spirv::Module& module, spirv::Id variable, const Varying& varying, Direction direction,
                         bool interpolates) {
  const auto flag = [&](bool set, spv::Decoration decoration) {
    if (set) spirv::decorate(module, variable, decoration);
  };
  if (interpolates) {
    Interpolation declared = varying.interpolation;
    if (direction == Direction::output) declared = declarable_on_outputs(module, declared);
    declared.sample = declared.sample && !(direction == Direction::output && seeded_fault("lower-forgets-sample"));
    for (const spv::Decoration decoration : interpolation_decorations(declared))
      flag(!is_forgotten(decoration), decoration);
  }
  flag(varying.patch, spv::Decoration::Patch);
  flag(varying.per_primitive, spv::Decoration::PerPrimitiveEXT);
  flag(varying.relaxed_precision, spv::Decoration::RelaxedPrecision);
  if (varying.stream != 0 && direction == Direction::output)
    spirv::decorate(module, variable, spv::Decoration::Stream, varying.stream);
}

std::uint32_t vertices_of(const spirv::Module& module, const Varying& varying) {
  const spirv::Id type = spirv::pointee_type(module, module.type_of(varying.variable));
  return module.def_op(type) == spv::Op::OpTypeArray ? spirv::element_count(module, type) : 0;
}

void declare_scalar(spirv::Module& module, spirv::Globals& globals, spirv::InstRef entry_point, Varying& varying,
                    Direction direction, bool interpolates, std::uint32_t vertices) {
  spirv::Id type = type_id(globals, varying.scalar);
  if (vertices != 0) type = globals.array_type(type, vertices);
  const auto storage = storage_class_of(direction);
  varying.variable = globals.variable(storage, type, varying.name);
  spirv::add_to_interface(module, entry_point, varying.variable);
  spirv::decorate(module, varying.variable, spv::Decoration::Location, varying.slot.location);
  if (varying.slot.component != 0)
    spirv::decorate(module, varying.variable, spv::Decoration::Component, varying.slot.component);
  decorate_qualifiers(module, varying.variable, varying, direction, interpolates);
}

}  // namespace varylink::varyings
