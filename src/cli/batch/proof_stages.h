// The stages of a pipeline as proofs take them.
#pragma once

#include <vector>

#include "link/model/pipeline.h"
#include "prove/prove.h"

namespace varylink::cli {

// In pipeline order. The words and entry points stay those of `stages`, which must outlive the result.
std::vector<prove::StageWords> proof_stages(const std::vector<link::StageInput>& stages);

}  // namespace varylink::cli
