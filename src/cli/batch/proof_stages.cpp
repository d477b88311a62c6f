#include "cli/batch/proof_stages.h"

#include <algorithm>

namespace varylink::cli {

std::vector<prove::StageWords> proof_stages(const std::vector<link::StageInput>& stages) {
  std::vector<prove::StageWords> result;
  for (const link::StageInput& stage : stages) result.push_back({stage.stage, stage.words, stage.entry_point});
  std::ranges::sort(result, {}, &prove::StageWords::stage);
  return result;
}

}  // namespace varylink::cli
