#include "cli/settings/stage_names.h"

#include "spirv/ir/stage.h"

namespace varylink::cli {

std::vector<std::string> stage_names() {
  std::vector<std::string> names;
  for (int i = 0; i < kStageCount; ++i) names.emplace_back(short_name(static_cast<Stage>(i)));
  return names;
}

}  // namespace varylink::cli
