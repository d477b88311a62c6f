#include "platform/path.h"

namespace varylink::platform {

std::string with_slashes(std::string name) { return name; }
std::string comparable(const std::string& name) { return name; }

}  // namespace varylink::platform
