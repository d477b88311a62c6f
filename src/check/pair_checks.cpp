// Rules between a stage and the next one.
#include <algorithm>

#include "check/checks.h"
#include "link/conformance/contract_facts.h"
#include "link/conformance/match.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/built_ins.h"

namespace varylink::check {
namespace {

Rule rule_of(link::Rule rule) {
  switch (rule) {
    case link::Rule::missing_output: return Rule::missing_output;
    case link::Rule::missing_component: return Rule::missing_component;
    case link::Rule::component_type: return Rule::component_type;
    case link::Rule::signedness: return Rule::signedness;
    case link::Rule::vector_width: return Rule::vector_width;
    case link::Rule::scalar_against_vector: return Rule::scalar_against_vector;
    case link::Rule::shape: return Rule::shape;
    case link::Rule::patch_mismatch: return Rule::patch_mismatch;
    case link::Rule::per_primitive_mismatch: return Rule::per_primitive_mismatch;
    case link::Rule::interpolation_differs: return Rule::interpolation_differs;
    case link::Rule::built_in_block: return Rule::built_in_block;
    default: return Rule::read_not_written;
  }
}

void check_matching(const CheckedStage& producer, const CheckedStage& consumer, Reporter& reporter) {
  link::Findings findings = link::match_interfaces(producer.outputs, consumer.inputs);
  const link::Findings blocks = link::match_built_in_blocks(producer.view, consumer.view);
  findings.insert(findings.end(), blocks.begin(), blocks.end());
  for (auto it = findings.begin(); it != findings.end(); ++it) {
    const link::Finding& finding = *it;
    const Rule rule = rule_of(finding.rule);
    // An array that does not fit would be told element by element.
    const bool told = std::any_of(findings.begin(), it, [&](const link::Finding& earlier) {
      return earlier.rule == finding.rule && earlier.unit == finding.unit;
    });
    if (told) continue;
    if (rule == Rule::vector_width && reporter.options().maintenance4) continue;
    const bool counts = rule == Rule::interpolation_differs && reporter.options().pipeline_library;
    reporter.report(rule, counts ? Severity::error : row_of(rule).severity,
                    {&consumer.view, finding.id, &producer.view, finding.other, finding.slot}, finding.message);
  }
}

// Rule: PrimitiveId comes from the stage in front of the rasterizer if that is a geometry or mesh stage, and
// from nowhere else then (Vulkan, "Built-In Variables").
void check_primitive_id(const CheckedStage& producer, const CheckedStage& consumer, Reporter& reporter) {
  const bool mesh = producer.view.entry.stage == Stage::mesh;
  if (consumer.view.entry.stage != Stage::fragment || (!mesh && producer.view.entry.stage != Stage::geometry)) return;
  const std::vector<spirv::Id> used = link::used_globals(consumer.view);
  const link::Facts written = link::written_built_ins(producer.view);
  const std::string primitive_id = std::to_string(static_cast<int>(spv::BuiltIn::PrimitiveId));
  if (std::find(written.begin(), written.end(), primitive_id) != written.end()) return;
  for (const io::BuiltIn& built_in : io::built_ins(*consumer.view.module, consumer.view.entry, io::Direction::input)) {
    if (built_in.kind != spv::BuiltIn::PrimitiveId) continue;
    if (std::find(used.begin(), used.end(), built_in.variable) == used.end()) continue;
    reporter.report(mesh ? Rule::primitive_id_mesh : Rule::primitive_id_geometry,
                    {&consumer.view, built_in.variable, nullptr, 0, std::nullopt},
                    "PrimitiveId is read but " + producer.view.file + " does not write it");
  }
}

spirv::Id task_payload(const link::StageView& stage) {
  for (const spirv::Id id : link::used_globals(stage))
    if (stage.module->operand(stage.module->def(id), 0).word ==
        static_cast<std::uint32_t>(spv::StorageClass::TaskPayloadWorkgroupEXT))
      return id;
  return 0;
}

// Rule: the payload is memory, so that both stages must see the same type.
void check_payload(const CheckedStage& producer, const CheckedStage& consumer, Reporter& reporter) {
  if (producer.view.entry.stage != Stage::task) return;
  const spirv::Id in = task_payload(consumer.view);
  if (in == 0) return;
  const spirv::Id out = task_payload(producer.view);
  const Subject subject{&consumer.view, in, &producer.view, out, std::nullopt};
  if (out == 0) {
    reporter.report(Rule::payload_missing, subject,
                    "the task payload is used but " + producer.view.file + " does not have one");
    return;
  }
  const auto type = [](const link::StageView& stage, spirv::Id id) {
    return spirv::pointee_type(*stage.module, stage.module->type_of(id));
  };
  if (link::same_type(*consumer.view.module, type(consumer.view, in), *producer.view.module, type(producer.view, out)))
    return;
  reporter.report(Rule::payload_type, subject, "the task payload has another type in " + producer.view.file);
}

}  // namespace

void check_stages(const CheckedStage& producer, const CheckedStage& consumer, Reporter& reporter) {
  check_matching(producer, consumer, reporter);
  check_primitive_id(producer, consumer, reporter);
  check_payload(producer, consumer, reporter);
}

}  // namespace varylink::check
