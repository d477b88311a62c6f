#include <sys/ioctl.h>
#include <unistd.h>

#include "platform/terminal.h"

namespace varylink::platform {

bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) != 0; }

std::optional<std::size_t> stderr_columns() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? std::optional<std::size_t>(size.ws_col) : std::nullopt;
}

}  // namespace varylink::platform
