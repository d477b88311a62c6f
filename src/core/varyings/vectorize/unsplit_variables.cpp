#include "varyings/vectorize/unsplit_variables.h"

#include <algorithm>
#include <functional>

#include "spirv/ir/globals.h"
#include "varyings/reflect/interpolation_qualifiers.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spirv::Operand;

// The structure that the variable is, or is an array of; 0 if it is none.
Id structure_of(const Module& module, Id variable) {
  const Id type = spirv::type_without_arrays(module, spirv::pointee_type(module, module.type_of(variable)));
  return module.def_op(type) == spv::Op::OpTypeStruct ? type : 0;
}

// A decoration of the variable or of a member of its structure.
struct OwnDecoration {
  InstRef inst;
  bool on_member = false;
  spv::Decoration kind = spv::Decoration::Location;

  std::uint32_t literal() const { return on_member ? 3 : 2; }  // operand
};

std::vector<OwnDecoration> decorations_on(const Module& module, Id variable) {
  const Id structure = structure_of(module, variable);
  std::vector<OwnDecoration> found;
  for (const InstRef inst : module.annotations) {
    const bool on_member = module[inst].op == spv::Op::OpMemberDecorate && module.operand(inst, 0).word == structure;
    const bool on_variable = module[inst].op == spv::Op::OpDecorate && module.operand(inst, 0).word == variable;
    if (on_member || on_variable)
      found.push_back({inst, on_member, static_cast<spv::Decoration>(module.operand(inst, on_member ? 2 : 1).word)});
  }
  return found;
}

bool interpolates(spv::Decoration decoration) {
  Interpolation any;
  return interpolation_flag(any, decoration) != nullptr;
}

// `target` is an output, or its structure and the number of a member.
void decorate_interpolation(Module& module, const std::vector<Operand>& target, const Interpolation& interpolation) {
  const spv::Op op = target.size() == 1 ? spv::Op::OpDecorate : spv::Op::OpMemberDecorate;
  for (const spv::Decoration decoration : interpolation_decorations(declarable_on_outputs(module, interpolation))) {
    std::vector<Operand> operands = target;
    operands.push_back(spirv::lit(static_cast<std::uint32_t>(decoration)));
    module.annotations.push_back(module.create(op, 0, 0, operands));
  }
}

// The first location of the variable in its module. An array that became denser may stand elsewhere than it came.
std::uint32_t first_location(const Module& module, const Varying& varying,
                             const std::vector<OwnDecoration>& decorations) {
  for (const OwnDecoration& own : decorations)
    if (own.kind == spv::Decoration::Location && structure_of(module, varying.variable) == 0)
      return module.operand(own.inst, own.literal()).word;
  return varying.slot.location;
}

}  // namespace

void adopt_interpolation(Module& module, const Varying& output, const Varying& reader) {
  for (const OwnDecoration& decoration : decorations_on(module, output.variable))
    if (interpolates(decoration.kind)) module.kill(decoration.inst);
  module.sweep();
  const std::vector<Interpolation>& members = reader.members;
  const bool differ = std::adjacent_find(members.begin(), members.end(), std::not_equal_to<>()) != members.end();
  if (!differ) return decorate_interpolation(module, {spirv::id(output.variable)}, reader.interpolation);
  const Id structure = structure_of(module, output.variable);
  for (std::uint32_t m = 0; m < members.size(); ++m)
    decorate_interpolation(module, {spirv::id(structure), spirv::lit(m)}, members[m]);
}

void relocate(Module& module, const Varying& varying, Slot place) {
  const std::vector<OwnDecoration> decorations = decorations_on(module, varying.variable);
  const std::int64_t shift = std::int64_t{place.location} - first_location(module, varying, decorations);
  bool has_component = false;
  for (const OwnDecoration& own : decorations) {
    if (own.kind == spv::Decoration::Location)
      module.set_operand(own.inst, own.literal(),
                         spirv::lit(static_cast<std::uint32_t>(module.operand(own.inst, own.literal()).word + shift)));
    if (own.kind == spv::Decoration::Component && !own.on_member) {
      module.set_operand(own.inst, own.literal(), spirv::lit(place.component));
      if (place.component == 0) module.kill(own.inst);
      has_component = true;
    }
  }
  module.sweep();
  if (!has_component && place.component != 0)
    spirv::decorate(module, varying.variable, spv::Decoration::Component, place.component);
}

}  // namespace varylink::varyings
