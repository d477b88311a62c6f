// Device limits on what the execution modes of a stage ask for, and on its built-in arrays and its payload.
#include <algorithm>
#include <array>

#include "check/checks.h"
#include "check/modes.h"
#include "link/rules/contract_facts.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"
#include "varyings/reflect/built_ins.h"

namespace varylink::check {
namespace {

using spirv::Id;
using spirv::Module;

void report(const CheckedStage& stage, Rule rule, std::string message, Reporter& reporter) {
  reporter.report(rule, {&stage.view, 0, nullptr, 0, std::nullopt}, std::move(message));
}

// A count that has to be between `lowest` and `limit`.
struct Count {
  Rule rule;
  std::optional<std::uint64_t> value;
  std::uint32_t lowest;
  std::uint32_t limit;
  const char* what;
  const char* limit_name;
};

void check_count(const CheckedStage& stage, const Count& count, Reporter& reporter) {
  if (!count.value || (*count.value >= count.lowest && *count.value <= count.limit)) return;
  const std::string text = std::string(count.what) + " " + std::to_string(*count.value);
  report(stage, count.rule,
         *count.value < count.lowest ? text + ", below " + std::to_string(count.lowest)
                                     : text + ", above " + count.limit_name + " (" + std::to_string(count.limit) + ")",
         reporter);
}

// The workgroup size: the WorkgroupSize constant if there is one, else LocalSizeId or LocalSize. Specialization
// constants count with their defaults.
std::optional<std::array<std::uint64_t, 3>> work_group(const CheckedStage& stage) {
  const Module& module = *stage.view.module;
  std::vector<std::uint32_t> sizes;
  const auto value = [&](Id id) { sizes.push_back(default_value(module, id).value_or(1)); };
  if (const Id constant = work_group_constant(module); constant != 0) {
    for (const spirv::Operand& part : module.operands(module.def(constant))) value(part.word);
  } else if (has_mode(stage.view, spv::ExecutionMode::LocalSizeId)) {
    for (const std::uint32_t id : mode_values(stage.view, spv::ExecutionMode::LocalSizeId)) value(id);
  } else {
    sizes = mode_values(stage.view, spv::ExecutionMode::LocalSize);
  }
  if (sizes.size() < 3) return std::nullopt;
  return std::array<std::uint64_t, 3>{sizes[0], sizes[1], sizes[2]};
}

struct WorkGroupRules {
  std::array<Rule, 3> size;
  std::array<const char*, 3> size_names;
  std::array<std::uint32_t, 3> sizes;
  Rule invocations;
  const char* invocations_name;
  std::uint32_t invocation_limit;
};

WorkGroupRules rules_for_mesh(const Limits& limits) {
  return {{Rule::limit_mesh_size_x, Rule::limit_mesh_size_y, Rule::limit_mesh_size_z},
          {"maxMeshWorkGroupSize[0]", "maxMeshWorkGroupSize[1]", "maxMeshWorkGroupSize[2]"},
          {limits.max_mesh_work_group_size_x, limits.max_mesh_work_group_size_y, limits.max_mesh_work_group_size_z},
          Rule::limit_mesh_invocations,
          "maxMeshWorkGroupInvocations",
          limits.max_mesh_work_group_invocations};
}

WorkGroupRules rules_for_task(const Limits& limits) {
  return {{Rule::limit_task_size_x, Rule::limit_task_size_y, Rule::limit_task_size_z},
          {"maxTaskWorkGroupSize[0]", "maxTaskWorkGroupSize[1]", "maxTaskWorkGroupSize[2]"},
          {limits.max_task_work_group_size_x, limits.max_task_work_group_size_y, limits.max_task_work_group_size_z},
          Rule::limit_task_invocations,
          "maxTaskWorkGroupInvocations",
          limits.max_task_work_group_invocations};
}

void check_work_group(const CheckedStage& stage, const WorkGroupRules& rules, Reporter& reporter) {
  const auto size = work_group(stage);
  if (!size) return;
  constexpr std::array kWhat = {"the workgroup has the x size", "the workgroup has the y size",
                                "the workgroup has the z size"};
  for (std::size_t i = 0; i < 3; ++i)
    check_count(stage, {rules.size[i], (*size)[i], 0, rules.sizes[i], kWhat[i], rules.size_names[i]}, reporter);
  // Three 32-bit factors do not fit into 64 bits; what is above any limit may stop there.
  const std::uint64_t plane = (*size)[0] * (*size)[1];
  const bool saturates = (*size)[2] != 0 && plane > ~std::uint64_t{0} / (*size)[2];
  const std::uint64_t invocations = saturates ? ~std::uint64_t{0} : plane * (*size)[2];
  check_count(stage,
              {rules.invocations, invocations, 0, rules.invocation_limit, "the number of invocations of a workgroup is",
               rules.invocations_name},
              reporter);
}

// Bytes without any padding, which is the least that an implementation needs.
std::uint64_t packed_size(const Module& module, Id type) {
  constexpr std::uint64_t kEnough = std::uint64_t{1} << 32;
  switch (spirv::type_kind(module, type)) {
    case spirv::TypeKind::boolean: return 4;
    case spirv::TypeKind::pointer: return 8;
    case spirv::TypeKind::integer:
    case spirv::TypeKind::floating: return module.operand(module.def(type), 0).word / 8;
    case spirv::TypeKind::vector:
    case spirv::TypeKind::matrix:
    case spirv::TypeKind::array: {
      const auto operands = module.operands(module.def(type));
      const std::uint64_t count = module.def_op(type) == spv::Op::OpTypeArray
                                      ? default_value(module, operands[1].word).value_or(1)
                                      : operands[1].word;
      return std::min(count * packed_size(module, operands[0].word), kEnough);
    }
    case spirv::TypeKind::structure: {
      std::uint64_t size = 0;
      for (const spirv::Operand& member : module.operands(module.def(type)))
        size = std::min(size + packed_size(module, member.word), kEnough);
      return size;
    }
    default: return 0;
  }
}

void check_payload_size(const CheckedStage& stage, Reporter& reporter) {
  const Module& module = *stage.view.module;
  std::uint64_t size = 0;
  for (const Id id : link::used_globals(stage.view))
    if (static_cast<spv::StorageClass>(module.operand(module.def(id), 0).word) ==
        spv::StorageClass::TaskPayloadWorkgroupEXT)
      size += packed_size(module, spirv::pointee_type(module, module.type_of(id)));
  check_count(stage,
              {Rule::limit_task_payload, size, 0, reporter.options().limits.max_task_payload_size,
               "the bytes of the task payload are", "maxTaskPayloadSize"},
              reporter);
}

void check_sample_mask(const CheckedStage& stage, Reporter& reporter) {
  std::uint32_t words = 0;
  for (const varyings::Direction direction : {varyings::Direction::input, varyings::Direction::output})
    for (const varyings::BuiltIn& built_in : stage.view.built_ins(direction))
      if (built_in.kind == spv::BuiltIn::SampleMask)
        words = std::max(words, varyings::array_length(*stage.view.module, built_in.type).value_or(0));
  check_count(stage,
              {Rule::limit_sample_mask, words, 0, reporter.options().limits.max_sample_mask_words,
               "the words of SampleMask are", "maxSampleMaskWords"},
              reporter);
}

void check_fragment_outputs(const CheckedStage& stage, Reporter& reporter) {
  if (stage.outputs.slots().empty()) return;
  const std::uint32_t limit = reporter.options().limits.max_fragment_output_attachments;
  const auto& [slot, uses] = *stage.outputs.slots().rbegin();
  if (slot.location < limit) return;
  reporter.report(Rule::limit_fragment_outputs, {&stage.view, stage.outputs.id(uses.front()), nullptr, 0, slot},
                  "output " + link::describe(stage.outputs.leaf(uses.front())) + " at location " +
                      std::to_string(slot.location) + " is above the last one that maxFragmentOutputAttachments (" +
                      std::to_string(limit) + ") allows");
}

}  // namespace

void check_sizes(const CheckedStage& stage, Reporter& reporter) {
  const Limits& limits = reporter.options().limits;
  const auto vertices = mode_value(stage.view, spv::ExecutionMode::OutputVertices);
  switch (stage.view.entry.stage) {
    case Stage::tess_control:
    case Stage::tess_eval:
      check_count(stage,
                  {Rule::limit_patch_vertices, vertices, 1, limits.max_tessellation_patch_size,
                   "the number of vertices of a patch is", "maxTessellationPatchSize"},
                  reporter);
      break;
    case Stage::geometry:
      check_count(stage,
                  {Rule::limit_geometry_vertices, vertices, 1, limits.max_geometry_output_vertices,
                   "the number of vertices is", "maxGeometryOutputVertices"},
                  reporter);
      check_count(
          stage,
          {Rule::limit_geometry_invocations, mode_value(stage.view, spv::ExecutionMode::Invocations), 1,
           limits.max_geometry_shader_invocations, "the number of invocations is", "maxGeometryShaderInvocations"},
          reporter);
      break;
    case Stage::mesh:
      check_count(stage,
                  {Rule::limit_mesh_vertices, vertices, 0, limits.max_mesh_output_vertices, "the number of vertices is",
                   "maxMeshOutputVertices"},
                  reporter);
      check_count(stage,
                  {Rule::limit_mesh_primitives, mode_value(stage.view, spv::ExecutionMode::OutputPrimitivesEXT), 0,
                   limits.max_mesh_output_primitives, "the number of primitives is", "maxMeshOutputPrimitives"},
                  reporter);
      check_work_group(stage, rules_for_mesh(limits), reporter);
      break;
    case Stage::task:
      check_work_group(stage, rules_for_task(limits), reporter);
      check_payload_size(stage, reporter);
      break;
    case Stage::fragment:
      check_fragment_outputs(stage, reporter);
      check_sample_mask(stage, reporter);
      break;
    case Stage::vertex: break;
  }
}

}  // namespace varylink::check
