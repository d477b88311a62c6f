#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "platform/posix_open.h"

namespace varylink::platform {

int open_descriptor(const std::string& name, int flags, mode_t mode) {
  const int descriptor = ::open(name.c_str(), flags | O_CLOEXEC, mode);
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  const int higher = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return higher;
}

}  // namespace varylink::platform
