#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "platform/posix_open.h"
#include "platform/posix_write.h"
#include "platform/shared_file.h"

namespace varylink::platform {
namespace {

int shorten(int descriptor, std::uint64_t size) {
  return ::ftruncate(descriptor, static_cast<off_t>(size)) == 0 ? 0 : errno;
}

}  // namespace

SharedFile::~SharedFile() {
  if (handle_ != kNone) ::close(static_cast<int>(handle_));
}

int SharedFile::open(const std::string& name) {
  const int descriptor = open_descriptor(name, O_RDWR | O_APPEND | O_CREAT, 0666);
  if (descriptor < 0) return errno;
  handle_ = descriptor;
  return 0;
}

void SharedFile::lock() {
  while (::flock(static_cast<int>(handle_), LOCK_EX) != 0 && errno == EINTR) {
  }
}

void SharedFile::unlock() { ::flock(static_cast<int>(handle_), LOCK_UN); }

int SharedFile::read(std::uint64_t offset, std::string& to) const {
  char part[4096];
  while (true) {
    const ssize_t count = ::pread(static_cast<int>(handle_), part, sizeof part, static_cast<off_t>(offset));
    if (count == 0) return 0;
    if (count < 0 && errno != EINTR) return errno;
    if (count < 0) continue;
    to.append(part, static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

int SharedFile::replace_end(std::uint64_t offset, std::string_view bytes) {
  const auto descriptor = static_cast<int>(handle_);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return errno;
  if (static_cast<std::uint64_t>(status.st_size) > offset)
    if (const int error = shorten(descriptor, offset); error != 0) return error;
  const int error = write_all(descriptor, bytes);
  if (error != 0) (void)shorten(descriptor, offset);
  return error;
}

}  // namespace varylink::platform
