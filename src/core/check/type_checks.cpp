// What the variables of an interface may hold.
#include <algorithm>

#include "check/checks.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"
#include "varyings/reflect/decoration_index.h"

namespace varylink::check {
namespace {

using spirv::Id;
using spirv::Module;

bool is_8bit(const Module& module, Id type) {
  const spv::Op op = module.def_op(type);
  return (op == spv::Op::OpTypeInt || op == spv::Op::OpTypeFloat) && module.operand(module.def(type), 0).word == 8;
}

bool is_physical_pointer(const Module& module, Id type) {
  return module.def_op(type) == spv::Op::OpTypePointer &&
         static_cast<spv::StorageClass>(module.operand(module.def(type), 0).word) ==
             spv::StorageClass::PhysicalStorageBuffer;
}

// Whether `type` or a part of it is one of those that `wanted` picks. Pointers are not followed.
template <typename Wanted>
bool holds(const Module& module, Id type, const Wanted& wanted) {
  if (wanted(module, type)) return true;
  switch (spirv::type_kind(module, type)) {
    case spirv::TypeKind::vector:
    case spirv::TypeKind::matrix:
    case spirv::TypeKind::array: return holds(module, spirv::element_type(module, type), wanted);
    case spirv::TypeKind::structure: {
      const auto members = module.operands(module.def(type));
      return std::any_of(members.begin(), members.end(),
                         [&](const spirv::Operand& member) { return holds(module, member.word, wanted); });
    }
    default: return false;
  }
}

void check_variable(const CheckedStage& stage, const varyings::InterfaceVariable& variable, Reporter& reporter) {
  const Module& module = *stage.view.module;
  const std::string what = std::string(variable.direction == varyings::Direction::input ? "input" : "output") +
                           (variable.name.empty() ? "" : " '" + variable.name + "'");
  const Subject subject{&stage.view, variable.id, nullptr, 0, varyings::Slot{variable.location, 0}};
  if (holds(module, variable.type, is_8bit))
    reporter.report(Rule::interface_8bit, subject, what + " has 8-bit components");
  if (holds(module, variable.type, is_physical_pointer))
    reporter.report(Rule::interface_pointer, subject, what + " holds a pointer to a physical storage buffer");
}

// Members that PerTaskNV decorates are laid out with Offset.
void check_input_offsets(const CheckedStage& stage, Reporter& reporter) {
  const Module& module = *stage.view.module;
  const varyings::DecorationIndex& decorations = stage.view.decorations();
  for (const varyings::InterfaceVariable& variable : stage.inputs.variables()) {
    const Id type = spirv::type_without_arrays(module, variable.type);
    if (module.def_op(type) != spv::Op::OpTypeStruct) continue;
    for (std::uint32_t member = 0; member < spirv::element_count(module, type); ++member) {
      const varyings::DecorationList own = decorations.of_member(type, member);
      if (!own.has(spv::Decoration::Offset) || own.has(spv::Decoration::PerTaskNV)) continue;
      const std::string name = module.member_name(type, member);
      reporter.report(Rule::input_offset, {&stage.view, variable.id, nullptr, 0, varyings::Slot{variable.location, 0}},
                      "member " + (name.empty() ? std::to_string(member) : "'" + name + "'") +
                          " of an input block is decorated with Offset");
      break;
    }
  }
}

}  // namespace

void check_types(const CheckedStage& stage, Reporter& reporter) {
  for (const link::InterfaceModel* model : {&stage.inputs, &stage.outputs})
    for (const varyings::InterfaceVariable& variable : model->variables()) check_variable(stage, variable, reporter);
  check_input_offsets(stage, reporter);
}

}  // namespace varylink::check
