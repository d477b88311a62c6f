#include "varyings/lift/varying_variable.h"

#include "base/seeded_fault.h"

namespace varylink::varyings {

spirv::Id type_id(spirv::Globals& globals, ScalarType type) {
  if (type.kind == ScalarKind::floating) return globals.float_type(type.width);
  return globals.int_type(type.width, type.kind == ScalarKind::sint);
}

void decorate_qualifiers(spirv::Module& module, spirv::Id variable, const Varying& varying, Direction direction,
                         bool interpolates) {
  const auto flag = [&](bool set, spv::Decoration decoration) {
    if (set) spirv::decorate(module, variable, decoration);
  };
  if (interpolates) {
    flag(varying.interpolation.flat && !seeded_fault("lower-forgets-flat"), spv::Decoration::Flat);
    flag(varying.interpolation.no_perspective && !seeded_fault("lower-forgets-noperspective"),
         spv::Decoration::NoPerspective);
    flag(varying.interpolation.centroid, spv::Decoration::Centroid);
    flag(varying.interpolation.sample && direction == Direction::input, spv::Decoration::Sample);
    const bool is_raw = varying.interpolation.per_vertex && !seeded_fault("lower-forgets-pervertex");
    flag(is_raw && direction == Direction::input, spv::Decoration::PerVertexKHR);
  }
  flag(varying.patch, spv::Decoration::Patch);
  flag(varying.per_primitive, spv::Decoration::PerPrimitiveEXT);
  flag(varying.relaxed_precision, spv::Decoration::RelaxedPrecision);
  if (varying.stream != 0 && direction == Direction::output)
    spirv::decorate(module, variable, spv::Decoration::Stream, varying.stream);
}

void declare_scalar(spirv::Module& module, spirv::Globals& globals, spirv::InstRef entry_point, Varying& varying,
                    Direction direction, bool interpolates, std::uint32_t vertices) {
  spirv::Id type = type_id(globals, varying.scalar);
  if (vertices != 0) type = globals.array_type(type, vertices);
  const auto storage = direction == Direction::input ? spv::StorageClass::Input : spv::StorageClass::Output;
  varying.variable = globals.variable(storage, type, varying.name);
  spirv::add_to_interface(module, entry_point, varying.variable);
  spirv::decorate(module, varying.variable, spv::Decoration::Location, varying.slot.location);
  if (varying.slot.component != 0)
    spirv::decorate(module, varying.variable, spv::Decoration::Component, varying.slot.component);
  decorate_qualifiers(module, varying.variable, varying, direction, interpolates);
}

}  // namespace varylink::varyings
