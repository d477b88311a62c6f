// Where names lead, be there a file or not.
#pragma once

#include <string>

namespace varylink::platform {

// Equal for two names that lead to one place: absolute or not, with "." and "..", through symbolic links, and on
// Windows in upper and lower case. For comparing only.
std::string place_of(const std::string& name);

}  // namespace varylink::platform
