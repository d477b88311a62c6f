// Proofs of linked pipelines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "link/model/pipeline.h"
#include "prove/prove.h"

namespace varylink::report {

// In pipeline order. The words and entry points stay those of `stages`, which must outlive the result.
std::vector<prove::StageWords> proof_stages(const std::vector<link::StageInput>& stages);

// The application's facts, as proofs take them. The rest of the state decides nothing that proofs compare. Without a
// layout nothing is known of it.
prove::PipelineFacts facts_of(const state::PipelineState& state, const std::optional<link::PipelineLayout>& layout);

// Proves the result of a link by the semantics of its level. `linked` must not be a failure. `budget` as in
// prove::ProveOptions.
prove::Proof proof_of_link(const link::PipelineInput& original, const link::LinkedPipeline& linked, link::Level level,
                           std::uint64_t budget = prove::ProveOptions{}.budget);

// Makes the result a failure that names the unproved value.
void refuse_unproved(link::LinkedPipeline& linked, const prove::Proof& proof);

}  // namespace varylink::report
