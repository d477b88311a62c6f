#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "platform/file_system.h"
#include "platform/posix_open.h"

namespace varylink::platform {
namespace {

namespace fs = std::filesystem;

std::chrono::system_clock::time_point time_of(const struct stat& status) {
#ifdef __APPLE__
  const timespec& changed = status.st_mtimespec;
#else
  const timespec& changed = status.st_mtim;
#endif
  const auto since = std::chrono::seconds(changed.tv_sec) + std::chrono::nanoseconds(changed.tv_nsec);
  return std::chrono::system_clock::time_point(std::chrono::duration_cast<std::chrono::system_clock::duration>(since));
}

template <typename Iterator>
std::vector<FileEntry> list(const std::string& folder) {
  std::vector<FileEntry> entries;
  std::error_code error;
  for (Iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    struct stat status {};
    const std::string name = it->path().string();
    if (::lstat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    entries.push_back({name, time_of(status), static_cast<std::uint64_t>(status.st_size)});
  }
  return entries;
}

}  // namespace

FileKind kind_of(const std::string& name, Links links) {
  struct stat status {};
  if ((links == Links::followed ? ::stat : ::lstat)(name.c_str(), &status) != 0) return FileKind::none;
  if (S_ISREG(status.st_mode)) return FileKind::regular;
  return S_ISDIR(status.st_mode) ? FileKind::folder : FileKind::other;
}

std::optional<FileIdentity> identity_of(const std::string& name) {
  struct stat status {};
  if (::stat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileIdentity(status.st_dev, status.st_ino);
}

std::optional<std::uint64_t> size_of(const std::string& name) {
  struct stat status {};
  if (::stat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return static_cast<std::uint64_t>(status.st_size);
}

std::string real_name(const std::string& name) {
  std::error_code error;
  const fs::path real = fs::canonical(name, error);
  return error ? name : real.string();
}

std::FILE* open_for_reading(const std::string& name, Links links) {
  const int descriptor = open_descriptor(name, O_RDONLY | (links == Links::seen ? O_NOFOLLOW : 0));
  return descriptor < 0 ? nullptr : ::fdopen(descriptor, "rb");
}

std::FILE* open_for_writing(const std::string& name) { return std::fopen(name.c_str(), "wb"); }

int make_folder(const std::string& name) { return ::mkdir(name.c_str(), 0777) == 0 ? 0 : errno; }

int make_folders(const std::string& name) {
  std::error_code error;
  fs::create_directories(name, error);
  return error.value();
}

int remove(const std::string& name) { return std::remove(name.c_str()) == 0 ? 0 : errno; }

void touch(const std::string& name) { ::utimensat(AT_FDCWD, name.c_str(), nullptr, AT_SYMLINK_NOFOLLOW); }

bool is_open_to_others(const std::string& folder) {
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) return false;
  return (status.st_mode & S_IWOTH) != 0 || (status.st_uid != ::geteuid() && status.st_uid != 0);
}

std::vector<FileEntry> files_in(const std::string& folder, bool recursive) {
  return recursive ? list<fs::recursive_directory_iterator>(folder) : list<fs::directory_iterator>(folder);
}

std::string make_temporary_folder(const std::string& prefix) {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / (prefix + "XXXXXX")).string();
  return !error && ::mkdtemp(name.data()) != nullptr ? name : std::string();
}

// std::tmpfile does not look at TMPDIR.
std::FILE* make_unnamed_file() {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / "varylink-XXXXXX").string();
  if (error) {
    errno = error.value();
    return nullptr;
  }
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) return nullptr;
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  ::unlink(name.c_str());
  return ::fdopen(descriptor, "w+b");
}

bool seek(std::FILE* file, std::uint64_t offset) { return ::fseeko(file, static_cast<off_t>(offset), SEEK_SET) == 0; }

}  // namespace varylink::platform
