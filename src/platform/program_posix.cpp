#include <stdlib.h>
#include <unistd.h>

#include <algorithm>

#include "platform/program.h"

namespace varylink::platform {

std::uint64_t process_id() { return static_cast<std::uint64_t>(::getpid()); }

std::vector<std::string> command_line(int count, char** values) {
  return std::vector<std::string>(values + std::min(count, 1), values + count);
}

void prepare_standard_streams() {}

void set_default(const char* variable, const char* value) { ::setenv(variable, value, 0); }

}  // namespace varylink::platform
