// Statistics of a Vulkan driver's compiler about the stages of a pipeline, before and after linking.
#pragma once

#include <string>
#include <vector>

#include "spirv/ir/stage.h"

namespace varylink::measure {

// A number with the driver's own name for it: "Instructions", "Max Waves Per Core".
struct Statistic {
  std::string name;
  double value = 0;
};

// A piece of machine code: mostly one per stage, of merged stages one for both, and sometimes a second one that
// computes the position alone.
struct Executable {
  std::string name;           // the driver's own
  std::vector<Stage> stages;  // in pipeline order
  std::vector<Statistic> statistics;
};

struct Measurement {
  std::string failure;             // why there is nothing to compare; empty: both sides were compiled
  bool only_linked_fails = false;  // the original was compiled
  std::vector<Executable> before, after;
};

}  // namespace varylink::measure
