#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "platform/append_file.h"
#include "platform/posix_open.h"
#include "platform/posix_write.h"

namespace varylink::platform {

AppendFile::~AppendFile() {
  if (is_open()) ::close(static_cast<int>(handle_));
}

int AppendFile::open(const std::string& name) {
  const int descriptor = open_descriptor(name, O_RDWR | O_APPEND | O_CREAT, 0666);
  if (descriptor < 0) return errno;
  handle_ = descriptor;
  return 0;
}

// No for what has no size: a pipe, a terminal.
bool AppendFile::ends_inside_line() const {
  const auto descriptor = static_cast<int>(handle_);
  struct stat status {};
  char last = '\n';
  if (::fstat(descriptor, &status) != 0 || status.st_size == 0) return false;
  return ::pread(descriptor, &last, 1, status.st_size - 1) == 1 && last != '\n';
}

int AppendFile::append(std::string_view lines) {
  const std::string text = (ends_inside_line() ? "\n" : "") + std::string(lines);
  return write_all(static_cast<int>(handle_), text);
}

}  // namespace varylink::platform
