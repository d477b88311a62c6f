// Code shared by the POSIX sources of written files.
#pragma once

#include <string_view>

namespace varylink::platform {

// Writes everything to a descriptor, in as many calls as it takes. An errno value, 0 for none.
int write_all(int descriptor, std::string_view bytes);

}  // namespace varylink::platform
