// Values that options have names for, beyond those that the option parser checks.
#pragma once

#include <string>
#include <vector>

namespace varylink::cli {

// The values that a shell offers behind the option with this name ("--passes"); empty if there are none.
std::vector<std::string> known_values(const std::string& option);

}  // namespace varylink::cli
