// Proofs about what was linked: the pipelines of a link as proofs take them.
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

// What the application said, as proofs take it. The rest of the state decides nothing that proofs compare. No layout:
// nothing is known of it.
prove::PipelineFacts facts_of(const analysis::PipelineState& state, const std::optional<link::PipelineLayout>& layout);

// What can be shown of the result of a link, by the semantics of the level it was linked at. `linked` must not be a
// failure. `budget` as in prove::ProveOptions.
prove::Proof proof_of_link(const link::PipelineInput& original, const link::LinkedPipeline& linked, link::Level level,
                           std::uint64_t budget = prove::ProveOptions{}.budget);

// Makes the result a failure that says what is not proved.
void refuse_unproved(link::LinkedPipeline& linked, const prove::Proof& proof);

}  // namespace varylink::report
