#include <fcntl.h>
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
  const int descriptor = open_descriptor(name, O_WRONLY | O_APPEND | O_CREAT, 0666);
  if (descriptor < 0) return errno;
  handle_ = descriptor;
  return 0;
}

int AppendFile::append(std::string_view bytes) { return write_all(static_cast<int>(handle_), bytes); }

}  // namespace varylink::platform
