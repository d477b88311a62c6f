// Another way to link a pipeline than the options of the run say, for a goal that these miss.
#pragma once

#include <string>

#include "link/model/pipeline.h"

namespace varylink::cli {

struct NamedOptions {
  std::string name;  // what is other than in the way before: "-O3", "--pack-beside-arrays"
  link::LinkOptions options;
};

}  // namespace varylink::cli
