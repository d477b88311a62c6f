#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "platform/output_file.h"
#include "platform/posix_open.h"
#include "platform/posix_write.h"

namespace varylink::platform {
namespace {

constexpr mode_t kNewFileMode = 0666;  // what the umask leaves of it

}  // namespace

// The lock tells that this process lives. (Its number would not: it may belong to another machine or, later, to another
// process.)
int OutputFile::make_kept(const std::string& name) {
  const int descriptor = open_descriptor(name, O_WRONLY | O_CREAT | O_EXCL, kNewFileMode);
  if (descriptor < 0) return errno;
  ::flock(descriptor, LOCK_EX);
  struct stat made {};
  if (::fstat(descriptor, &made) == 0 && made.st_nlink == 0) {
    // Another run was faster to lock it, and has removed it.
    ::close(descriptor);
    return EEXIST;
  }
  handle_ = descriptor;
  return 0;
}

int OutputFile::open(const std::string& name, bool empty) {
  const int descriptor = open_descriptor(name, O_WRONLY | (empty ? O_TRUNC : 0));
  if (descriptor < 0) return errno;
  handle_ = descriptor;
  return 0;
}

void OutputFile::take_mode_of(const std::string& name) {
  struct stat status {};
  if (::stat(name.c_str(), &status) == 0) ::fchmod(static_cast<int>(handle_), status.st_mode & 07777);
}

int OutputFile::write(std::string_view bytes) { return write_all(static_cast<int>(handle_), bytes); }

// Closing a second descriptor tells it, and the lock stays.
int OutputFile::check_written() {
  const int second = ::dup(static_cast<int>(handle_));
  return second >= 0 && ::close(second) != 0 ? errno : 0;
}

int OutputFile::rename(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str()) == 0 ? close() : errno;
}

int OutputFile::close() {
  const std::intptr_t handle = std::exchange(handle_, kNone);
  return handle != kNone && ::close(static_cast<int>(handle)) != 0 ? errno : 0;
}

void remove_if_abandoned(const std::string& name) {
  const int descriptor = open_descriptor(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(name.c_str());
  ::close(descriptor);
}

}  // namespace varylink::platform
