#include "report/proof_of_link.h"

#include <algorithm>

namespace varylink::report {

std::vector<prove::StageWords> proof_stages(const std::vector<link::StageInput>& stages) {
  std::vector<prove::StageWords> result;
  for (const link::StageInput& stage : stages) result.push_back({stage.stage, stage.words, stage.entry_point});
  std::ranges::sort(result, {}, &prove::StageWords::stage);
  return result;
}

std::string beyond_proofs(const analysis::PipelineState& state) {
  analysis::PipelineState rest = state;
  rest.no_fragment = rest.shared_spec_constants = false;
  rest.topology = analysis::Topology::unknown;
  rest.instance_rate_attributes.clear();
  rest.rasterizer_discard.reset();  // means the same as no_fragment
  return rest == analysis::PipelineState{} ? std::string() : analysis::to_json(rest);
}

prove::Proof proof_of_link(const link::PipelineInput& original, const link::LinkedPipeline& linked, link::Level level) {
  if (const std::string unknown = beyond_proofs(linked.assumptions.state); !unknown.empty()) {
    prove::Proof none;
    none.reason = "the result needs state that proofs do not know: " + unknown;
    return none;
  }
  const std::vector<prove::StageWords> before = proof_stages(original.stages);
  std::vector<prove::StageWords> after = before;
  for (prove::StageWords& stage : after)
    for (const link::StageOutput& output : linked.stages)
      if (output.stage == stage.stage) stage.words = output.words;
  prove::ProveOptions options;
  options.semantics = level >= link::Level::motion ? prove::Semantics::linear : prove::Semantics::exact;
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
