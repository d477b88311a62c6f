// Pipelines whose vertices have to land on the same places, such as a depth pre-pass and the pass that tests for equal
// depth (--invariance-group).
#pragma once

#include <string>
#include <vector>

#include "link/model/pipeline.h"

namespace varylink::share {

// One pipeline of a group: its input and its linked result.
struct InvarianceMember {
  std::string name;
  const link::PipelineInput* input = nullptr;
  const link::LinkedPipeline* linked = nullptr;  // stages empty: it failed
};

struct InvarianceVerdict {
  enum class Kind {
    kept,     // the code that computes positions is the same in all members
    changed,  // it was, and linking changed it in some of them
    unknown,  // it was not the same to begin with, or cannot be compared
  };
  Kind kind = Kind::kept;
  std::string reason;  // whose code differs and why that matters, or why it cannot be compared; empty if kept
};

// Compares the position code of all members that linked. Words that `valid_words` knows are not validated again.
InvarianceVerdict compare_positions(const std::vector<InvarianceMember>& members,
                                    const spirv::ValidatorOptions& validator, spirv::ValidWords* valid_words);

// Whether the code that computes the positions of one pipeline is unchanged, so that they stay those of any pipeline
// that shares it. `changed` and `unknown` have the reason.
InvarianceVerdict compare_with_original(const link::PipelineInput& input, const link::LinkedPipeline& linked,
                                        const spirv::ValidatorOptions& validator, spirv::ValidWords* valid_words);

}  // namespace varylink::share
