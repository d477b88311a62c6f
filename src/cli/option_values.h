// Values that options have names for, beyond those that the option parser checks.
#pragma once

#include <string>
#include <vector>

namespace varylink::cli {

// What a shell offers behind the option with this name ("--passes"), empty if there is nothing to offer.
std::vector<std::string> known_values(const std::string& option);

}  // namespace varylink::cli
