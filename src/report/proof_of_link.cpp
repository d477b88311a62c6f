#include "report/proof_of_link.h"

#include <algorithm>
#include <bit>

#include "analysis/vulkan_format.h"

namespace varylink::report {

std::vector<prove::StageWords> proof_stages(const std::vector<link::StageInput>& stages) {
  std::vector<prove::StageWords> result;
  for (const link::StageInput& stage : stages) result.push_back({stage.stage, stage.words, stage.entry_point});
  std::ranges::sort(result, {}, &prove::StageWords::stage);
  return result;
}

prove::PipelineFacts facts_of(const analysis::PipelineState& state) {
  prove::PipelineFacts facts;
  facts.shared_specialization = state.shared_spec_constants;
  facts.one_sample = state.samples == 1;
  facts.points = state.topology == analysis::Topology::points;
  facts.patch_vertices = state.patch_control_points;
  if (state.view_mask == 0)
    facts.view = 0;
  else if (state.view_mask && std::has_single_bit(*state.view_mask))
    facts.view = std::countr_zero(*state.view_mask);
  facts.instance_attributes = state.instance_rate_attributes;
  for (const auto& [location, name] : state.attribute_formats)
    if (const auto format = analysis::find_format(name))
      for (std::uint32_t i = 0; i < 4; ++i)
        if (format->bits[i] == 0) facts.missing_attributes.insert({location, i});
  if (state.attachments) {
    facts.targets.emplace();
    for (const analysis::ColorAttachment& attachment : *state.attachments)
      facts.targets->push_back(!attachment.takes_nothing());
  }
  facts.alpha_counts = state.alpha_to_coverage != false;
  return facts;
}

prove::Proof proof_of_link(const link::PipelineInput& original, const link::LinkedPipeline& linked, link::Level level) {
  const std::vector<prove::StageWords> before = proof_stages(original.stages);
  std::vector<prove::StageWords> after = before;
  for (prove::StageWords& stage : after)
    for (const link::StageOutput& output : linked.stages)
      if (output.stage == stage.stage) stage.words = output.words;
  prove::ProveOptions options;
  options.semantics = level >= link::Level::motion ? prove::Semantics::linear : prove::Semantics::exact;
  options.facts = facts_of(linked.assumptions.state);
  options.no_fragment = original.state.no_fragment;
  return prove::prove(before, after, options);
}

void refuse_unproved(link::LinkedPipeline& linked, const prove::Proof& proof) {
  const Diagnostic error =
      make_error(ErrorKind::verification_failed, "", std::string(prove::name_of(proof.verdict)) + ": " + proof.reason);
  linked.diagnostics.push_back(error);
  linked.failure = error.kind;
  linked.stages.clear();
}

}  // namespace varylink::report
