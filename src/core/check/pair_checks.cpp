// Rules between a stage and the next one.
#include <algorithm>

#include "check/checks.h"
#include "link/rules/contract_facts.h"
#include "link/rules/match.h"
#include "link/rules/pair_check.h"
#include "varyings/reflect/built_ins.h"

namespace varylink::check {
namespace {

void check_matching(const CheckedStage& producer, const CheckedStage& consumer, Reporter& reporter) {
  if (link::passes_through(producer.view)) return;
  link::Findings findings = link::match_interfaces(producer.outputs, consumer.inputs);
  const link::Findings blocks = link::match_built_in_blocks(producer.view, consumer.view);
  findings.insert(findings.end(), blocks.begin(), blocks.end());
  for (auto it = findings.begin(); it != findings.end(); ++it) {
    const link::Finding& finding = *it;
    const Rule rule = rule_of(finding.rule, finding.direction);
    // An array that does not fit would be told element by element.
    const bool told = std::any_of(findings.begin(), it, [&](const link::Finding& earlier) {
      return earlier.rule == finding.rule && earlier.unit == finding.unit;
    });
    if (told) continue;
    if (rule == Rule::vector_width && reporter.options().maintenance4) continue;
    const bool counts = rule == Rule::interpolation_differs && reporter.options().pipeline_library;
    reporter.report(rule, counts ? Severity::error : severity_of(rule, reporter.options().strict),
                    {&consumer.view, finding.id, &producer.view, finding.other, finding.slot}, finding.message);
  }
}

Rule payload_rule_of(link::PayloadMatch match) {
  switch (match) {
    case link::PayloadMatch::missing: return Rule::payload_missing;
    case link::PayloadMatch::specialized: return Rule::payload_specialized;
    default: return Rule::payload_type;
  }
}

void check_payload(const CheckedStage& producer, const CheckedStage& consumer, Reporter& reporter) {
  if (producer.view.entry.stage != Stage::task) return;
  const link::PayloadFinding found = link::match_payloads(producer.view, consumer.view);
  if (found.match == link::PayloadMatch::same) return;
  reporter.report(payload_rule_of(found.match), {&consumer.view, found.mesh, &producer.view, found.task, std::nullopt},
                  found.message);
}

}  // namespace

// Rule: PrimitiveId comes from the stage in front of the rasterizer if that is a geometry or mesh stage, and
// from nowhere else then (Vulkan, "Built-In Variables").
void check_primitive_id(const link::StageView& producer, const link::StageView& consumer, Reporter& reporter) {
  const bool mesh = producer.entry.stage == Stage::mesh;
  if (consumer.entry.stage != Stage::fragment || (!mesh && producer.entry.stage != Stage::geometry)) return;
  const std::vector<spirv::Id> used = link::used_globals(consumer);
  const link::Facts written = link::written_built_ins(producer);
  const std::string primitive_id = std::to_string(static_cast<int>(spv::BuiltIn::PrimitiveId));
  if (std::find(written.begin(), written.end(), primitive_id) != written.end()) return;
  for (const varyings::BuiltIn& built_in : consumer.built_ins(varyings::Direction::input)) {
    if (built_in.kind != spv::BuiltIn::PrimitiveId) continue;
    if (std::find(used.begin(), used.end(), built_in.variable) == used.end()) continue;
    reporter.report(mesh ? Rule::primitive_id_mesh : Rule::primitive_id_geometry,
                    {&consumer, built_in.variable, nullptr, 0, std::nullopt},
                    "PrimitiveId is read but " + producer.file + " does not write it");
  }
}

void check_stages(const CheckedStage& producer, const CheckedStage& consumer, Reporter& reporter) {
  check_matching(producer, consumer, reporter);
  check_primitive_id(producer.view, consumer.view, reporter);
  check_payload(producer, consumer, reporter);
}

}  // namespace varylink::check
