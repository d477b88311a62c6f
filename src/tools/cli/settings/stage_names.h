// The stages by the names that users give them.
#pragma once

#include <string>
#include <vector>

namespace varylink::cli {

// vert, tesc, ...: keys of "stages" in a manifest, values of -S; in pipeline order.
std::vector<std::string> stage_names();

}  // namespace varylink::cli
