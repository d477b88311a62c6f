#include <algorithm>
#include <optional>
#include <vector>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/foreign.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/operations.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {
namespace {

bool has_number_type(const Module& module, spv::Op op, std::uint32_t width) {
  return std::any_of(module.types.begin(), module.types.end(),
                     [&](InstRef inst) { return module[inst].op == op && module.operand(inst, 0).word == width; });
}

template <typename Predicate>
bool any_inst(const Module& module, Predicate predicate) {
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      if (std::any_of(block.body.begin(), block.body.end(), predicate)) return true;
  return false;
}

bool has_op_between(const Module& module, spv::Op first, spv::Op last) {
  return any_inst(module, [&](InstRef inst) { return module[inst].op >= first && module[inst].op <= last; });
}

bool has_interpolation(const Module& module) {
  return any_inst(module, [&](InstRef inst) { return row_of(module, inst).is(kInterpolates); });
}

// The Sample decoration and the built-ins that come with sample shading, on variables and on members.
bool has_sample_shading(const Module& module) {
  return std::any_of(module.annotations.begin(), module.annotations.end(), [&](InstRef inst) {
    const bool on_member = module[inst].op == spv::Op::OpMemberDecorate;
    const auto decoration = static_cast<spv::Decoration>(module.operand(inst, on_member ? 2 : 1).word);
    const auto built_in = static_cast<spv::BuiltIn>(module.operand(inst, on_member ? 3 : 2).word);
    if (decoration == spv::Decoration::Sample) return true;
    return decoration == spv::Decoration::BuiltIn &&
           (built_in == spv::BuiltIn::SampleId || built_in == spv::BuiltIn::SamplePosition);
  });
}

bool contains_16_bit(const Module& module, Id type) {
  const auto operands = module.operands(module.def(type));
  switch (type_kind(module, type)) {
    case TypeKind::integer:
    case TypeKind::floating: return operands[0].word == 16;
    case TypeKind::vector:
    case TypeKind::matrix:
    case TypeKind::array: return contains_16_bit(module, operands[0].word);
    case TypeKind::structure:
      return std::any_of(operands.begin(), operands.end(),
                         [&](Operand member) { return contains_16_bit(module, member.word); });
    default: return false;
  }
}

bool has_16_bit_interface(const Module& module) {
  return std::any_of(module.types.begin(), module.types.end(), [&](InstRef inst) {
    if (module[inst].op != spv::Op::OpVariable) return false;
    const auto storage = static_cast<spv::StorageClass>(module.operand(inst, 0).word);
    return (storage == spv::StorageClass::Input || storage == spv::StorageClass::Output) &&
           contains_16_bit(module, pointee_type(module, module[inst].type));
  });
}

// 16-bit numbers are declared by this capability alone, for conversions to and from them (SPIR-V, OpTypeFloat).
bool alone_declares_16_bit(const Module& module) {
  const auto may_be_declared = [&](std::initializer_list<spv::Capability> by) {
    return std::any_of(by.begin(), by.end(), [&](spv::Capability other) { return module.has_capability(other); });
  };
  using enum spv::Capability;
  const bool by_storage =
      may_be_declared({StorageBuffer16BitAccess, UniformAndStorageBuffer16BitAccess, StoragePushConstant16});
  return !by_storage &&
         ((has_number_type(module, spv::Op::OpTypeFloat, 16) && !may_be_declared({Float16, Float16Buffer})) ||
          (has_number_type(module, spv::Op::OpTypeInt, 16) && !may_be_declared({Int16})));
}

// A built-in as a variable of its own, or as a member of the structure `holder`.
struct BuiltInPlace {
  Id holder = 0;
  std::optional<std::uint32_t> member;
};

std::vector<BuiltInPlace> places_of(const Module& module, spv::BuiltIn kind) {
  std::vector<BuiltInPlace> places;
  for (const InstRef inst : module.annotations) {
    const bool on_member = module[inst].op == spv::Op::OpMemberDecorate;
    if (!on_member && module[inst].op != spv::Op::OpDecorate) continue;
    const auto operands = module.operands(inst);
    const std::size_t first = on_member ? 2 : 1;
    if (operands.size() > first + 1 && operands[first].word == static_cast<std::uint32_t>(spv::Decoration::BuiltIn) &&
        operands[first + 1].word == static_cast<std::uint32_t>(kind))
      places.push_back({operands[0].word, on_member ? std::optional(operands[1].word) : std::nullopt});
  }
  return places;
}

// Whether an access chain from an array of structures, or from one, leads into another member.
bool leads_elsewhere(const Module& module, InstRef chain, std::uint32_t member) {
  if (!is_access_chain(module[chain].op)) return false;
  const auto operands = module.operands(chain);
  Id type = pointee_type(module, module.type_of(operands[0].word));
  std::size_t next = 1;
  for (; module.def_op(type) == spv::Op::OpTypeArray && next < operands.size(); ++next)
    type = element_type(module, type);
  const auto index = next < operands.size() ? constant_index(module, operands[next].word) : std::nullopt;
  return index && *index != member;
}

// Whether the point size is, or may be, read or written: what the decoration alone does not need a feature for.
bool has_point_size(const Module& module) {
  const Uses uses(module);
  const auto reaches = [&](Id variable, const BuiltInPlace& place) {
    if (has_initializer(module, variable)) return true;
    const auto users = uses.of(variable);
    return std::any_of(users.begin(), users.end(),
                       [&](InstRef user) { return !place.member || !leads_elsewhere(module, user, *place.member); });
  };
  const std::vector<BuiltInPlace> places = places_of(module, spv::BuiltIn::PointSize);
  return std::any_of(module.types.begin(), module.types.end(), [&](InstRef inst) {
    if (module[inst].op != spv::Op::OpVariable) return false;
    const Id variable = module[inst].result;
    const Id holder = type_without_arrays(module, pointee_type(module, module[inst].type));
    return std::any_of(places.begin(), places.end(), [&](const BuiltInPlace& place) {
      return place.holder == (place.member ? holder : variable) && reaches(variable, place);
    });
  });
}

// The capability has another one with it, which a module may leave undeclared then.
bool implies_undeclared(const Module& module, spv::Capability capability) {
  switch (capability) {
    case spv::Capability::TessellationPointSize: return !module.has_capability(spv::Capability::Tessellation);
    case spv::Capability::GeometryPointSize: return !module.has_capability(spv::Capability::Geometry);
    case spv::Capability::InterpolationFunction:
    case spv::Capability::ImageQuery:
    case spv::Capability::DerivativeControl:
    case spv::Capability::SampleRateShading: return !module.has_capability(spv::Capability::Shader);
    default: return false;
  }
}

bool is_needed(const Module& module, spv::Capability capability) {
  switch (capability) {
    case spv::Capability::Float64: return has_number_type(module, spv::Op::OpTypeFloat, 64);
    case spv::Capability::Float16: return has_number_type(module, spv::Op::OpTypeFloat, 16);
    case spv::Capability::Int64: return has_number_type(module, spv::Op::OpTypeInt, 64);
    case spv::Capability::Int16: return has_number_type(module, spv::Op::OpTypeInt, 16);
    case spv::Capability::Int8: return has_number_type(module, spv::Op::OpTypeInt, 8);
    case spv::Capability::StorageInputOutput16: return has_16_bit_interface(module) || alone_declares_16_bit(module);
    case spv::Capability::InterpolationFunction: return has_interpolation(module);
    case spv::Capability::ImageQuery:
      return has_op_between(module, spv::Op::OpImageQuerySizeLod, spv::Op::OpImageQuerySamples);
    case spv::Capability::DerivativeControl:
      return has_op_between(module, spv::Op::OpDPdxFine, spv::Op::OpFwidthCoarse);
    case spv::Capability::SampleRateShading: return has_sample_shading(module);
    case spv::Capability::TessellationPointSize:
    case spv::Capability::GeometryPointSize: return has_point_size(module);
    default: return true;
  }
}

// Which modules before SPIR-V 1.3 have for these capabilities, and for nothing else.
void trim_16_bit_storage(Module& module) {
  for (const spv::Capability capability :
       {spv::Capability::StorageBuffer16BitAccess, spv::Capability::UniformAndStorageBuffer16BitAccess,
        spv::Capability::StoragePushConstant16, spv::Capability::StorageInputOutput16})
    if (module.has_capability(capability)) return;
  for (const InstRef inst : module.extensions)
    if (decode_string(module.operands(inst), 0) == "SPV_KHR_16bit_storage") module.kill(inst);
  module.sweep();
}

}  // namespace

void trim_capabilities(Module& module) {
  if (has_foreign(module)) return;  // what is not known may need any
  for (const InstRef inst : module.capabilities) {
    const auto capability = static_cast<spv::Capability>(module.operand(inst, 0).word);
    if (!is_needed(module, capability) && !implies_undeclared(module, capability)) module.kill(inst);
  }
  module.sweep();
  trim_16_bit_storage(module);
}

}  // namespace varylink::spirv
