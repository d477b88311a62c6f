#include <cerrno>

#include "platform/run_program.h"

namespace varylink::platform {

ProgramEnd run_program(const std::vector<std::string>&, const std::vector<std::pair<std::string, std::string>>&,
                       const std::function<void()>&) {
  return {ENOSYS, 0};
}

}  // namespace varylink::platform
