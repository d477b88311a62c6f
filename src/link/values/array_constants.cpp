#include "link/values/array_constants.h"

#include <algorithm>

#include "link/values/slot_values.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::link {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using varyings::PointerAccess;
using varyings::Varying;

bool is_scalar(const Module& module, Id type) { return spirv::component_count(module, type) == 1; }

// Scalars of a type; 0 if it is not made of numbers of 32 or 64 bits alone, or too large.
std::uint32_t scalar_count(const Module& module, Id type) {
  if (is_scalar(module, type)) {
    const auto scalar = varyings::scalar_type_of(module, type);
    const bool fits = scalar && scalar->kind != varyings::ScalarKind::boolean && scalar->width >= 32;
    return fits ? 1 : 0;
  }
  if (module.def_op(type) == spv::Op::OpTypeStruct) return 0;
  const std::uint32_t count = spirv::element_count(module, type);
  if (count == 0 || count > ScalarArray::kMaxScalars) return 0;
  const std::uint32_t each = scalar_count(module, spirv::element_type(module, type));
  return each * count <= ScalarArray::kMaxScalars ? each * count : 0;
}

// What is stored, scalar by scalar.
class Collector {
 public:
  Collector(const Module& module, ScalarConstants& constants) : module_(module), constants_(constants) {}

  // False if part of the value is no constant, or another one than was stored there before.
  bool store(Id value, Id type, std::uint32_t first) {
    const InstRef def = module_.def(value);
    if (def && module_[def].op == spv::Op::OpUndef) return true;
    if (is_scalar(module_, type)) return store_scalar(scalar_value(module_, value), first);
    if (!def) return false;
    const spv::Op op = module_[def].op;
    const bool is_zero = op == spv::Op::OpConstantNull;
    if (!is_zero && op != spv::Op::OpConstantComposite && op != spv::Op::OpCompositeConstruct) return false;
    const std::uint32_t count = spirv::element_count(module_, type);
    const Id element = spirv::element_type(module_, type);
    const std::uint32_t size = scalar_count(module_, element);
    // Parts of a constructed vector may be vectors themselves; then they are fewer than the components.
    if (!is_zero && module_.operands(def).size() != count) return false;
    for (std::uint32_t i = 0; i < count; ++i) {
      const bool agrees = is_zero ? store_zeros(element, first + i * size)
                                  : store(module_.operand(def, i).word, element, first + i * size);
      if (!agrees) return false;
    }
    return true;
  }

 private:
  bool store_zeros(Id type, std::uint32_t first) {
    const std::uint32_t count = scalar_count(module_, type);
    Id scalar = type;
    while (!is_scalar(module_, scalar)) scalar = spirv::element_type(module_, scalar);
    ScalarValue zero;
    zero.kind = ScalarValue::Kind::constant;
    zero.bits.assign(varyings::scalar_type_of(module_, scalar)->width == 64 ? 2 : 1, 0);
    for (std::uint32_t i = 0; i < count; ++i)
      if (!store_scalar(zero, first + i)) return false;
    return true;
  }

  bool store_scalar(const ScalarValue& value, std::uint32_t place) {
    if (value.kind == ScalarValue::Kind::undefined) return true;
    auto& known = constants_[place];
    if (value.kind != ScalarValue::Kind::constant || (known && *known != value.bits)) return false;
    known = value.bits;
    return true;
  }

  const Module& module_;
  ScalarConstants& constants_;
};

}  // namespace

std::optional<ScalarArray> scalar_array(const LinkedStage& stage, varyings::Direction direction,
                                        const Varying& varying) {
  const auto variables = varyings::interface_variables(stage.module, stage.entry, direction);
  const auto found = std::find_if(variables.begin(), variables.end(), [&](const varyings::InterfaceVariable& variable) {
    return variable.id == varying.variable;
  });
  if (found == variables.end() || found->unsupported) return std::nullopt;
  if (stage.module.def_op(found->element_type) != spv::Op::OpTypeArray) return std::nullopt;
  const ScalarArray shape{found->element_type, found->arrayed, scalar_count(stage.module, found->element_type)};
  return shape.scalars == 0 ? std::nullopt : std::optional(shape);
}

std::optional<Reach> reach_of(const Module& module, const ScalarArray& shape, std::span<const Id> indices) {
  Reach reach{{0}, shape.type, shape.scalars};
  if (shape.is_per_vertex && indices.empty()) return std::nullopt;
  for (const Id id : indices.subspan(shape.is_per_vertex ? 1 : 0)) {
    const std::uint32_t count = spirv::element_count(module, reach.type);
    reach.type = spirv::element_type(module, reach.type);
    const std::uint32_t size = reach.scalars = scalar_count(module, reach.type);
    const auto index = varyings::constant_int(module, id);
    if (index && (*index < 0 || *index >= std::int64_t{count})) return std::nullopt;
    std::vector<std::uint32_t> firsts;
    for (const std::uint32_t first : reach.firsts)
      for (std::uint32_t i = 0; i < count; ++i)
        if (!index || *index == i) firsts.push_back(first + i * size);
    reach.firsts = std::move(firsts);
  }
  return reach;
}

std::optional<ScalarConstants> constants_of_array(const LinkedStage& producer, const Varying& output) {
  const Module& module = producer.module;
  const auto shape = scalar_array(producer, varyings::Direction::output, output);
  const varyings::VariableAccesses accesses = varyings::accesses_of(module, spirv::Uses(module), output.variable);
  const bool is_initialized = module.operands(module.def(output.variable)).size() > 1;  // rule
  if (!shape || accesses.obstacle || is_initialized) return std::nullopt;
  ScalarConstants constants(shape->scalars);
  Collector collector(module, constants);
  for (const PointerAccess& access : accesses.accesses) {
    if (access.kind == PointerAccess::Kind::load) continue;
    const auto reach = reach_of(module, *shape, access.indices);
    if (!reach || !varyings::is_plain_access(module, access)) return std::nullopt;
    for (const std::uint32_t first : reach->firsts)
      if (!collector.store(module.operand(access.inst, 1).word, reach->type, first)) return std::nullopt;
  }
  return constants;
}

Id constant_at(Module& module, spirv::Globals& globals, Id type, const ScalarConstants& constants,
               std::uint32_t first) {
  if (is_scalar(module, type)) {
    const std::size_t words = varyings::scalar_type_of(module, type)->width == 64 ? 2 : 1;
    return globals.scalar_constant(type, constants[first].value_or(std::vector<std::uint32_t>(words, 0)));
  }
  const Id element = spirv::element_type(module, type);
  const std::uint32_t size = scalar_count(module, element);
  std::vector<Id> parts;
  for (std::uint32_t i = 0; i < spirv::element_count(module, type); ++i)
    parts.push_back(constant_at(module, globals, element, constants, first + i * size));
  return globals.composite_constant(type, parts);
}

}  // namespace varylink::link
