#include "store/temporary_file.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <vector>

#include "platform/file_system.h"
#include "platform/path.h"
#include "platform/program.h"

namespace varylink::store {
namespace {

using platform::FileKind;
using platform::Links;

constexpr std::string_view kTemporaryMark = ".varylink-";  // behind the name of the file, in front of numbers

bool is_temporary(const std::string& name) {
  const std::size_t mark = name.rfind(kTemporaryMark);
  return name.front() == '.' && mark != std::string::npos && mark + kTemporaryMark.size() < name.size() &&
         name.find_first_not_of("0123456789-", mark + kTemporaryMark.size()) == std::string::npos;
}

Diagnostic cannot_write(const std::string& path, int error) {
  return make_error(ErrorKind::io, path, std::string("cannot write: ") + std::strerror(error));
}

bool holds_bytes(const std::string& path, const std::string& bytes) {
  if (platform::kind_of(path, Links::seen) != FileKind::regular || platform::size_of(path) != bytes.size())
    return false;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(platform::open_for_reading(path, Links::seen), std::fclose);
  if (!in) return false;
  std::string there(bytes.size(), '\0');
  return std::fread(there.data(), 1, there.size(), in.get()) == there.size() && there == bytes;
}

// Folders that were made for a file, and go again if it cannot be written.
class NewFolders {
 public:
  ~NewFolders() {
    for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) (void)platform::remove(*folder);
  }

  int make(const std::string& folder) {
    if (folder.empty() || platform::is_folder(folder)) return 0;
    if (const int error = make(platform::folder_of(folder)); error != 0) return error;
    const int error = platform::make_folder(folder);
    if (error == 0) made_.push_back(folder);
    // Another process or thread may have made it in the meantime.
    if (platform::is_folder(folder)) return 0;
    return error == 0 || error == EEXIST ? ENOTDIR : error;
  }
  void keep() { made_.clear(); }

 private:
  std::vector<std::string> made_;
};

}  // namespace

int make_temporary(const std::string& target, platform::OutputFile& file, std::string& name) {
  static std::atomic<std::uint64_t> counter{0};
  while (true) {
    const std::string unique = std::to_string(platform::process_id()) + "-" + std::to_string(counter++);
    const std::string path = platform::joined(platform::folder_of(target),
                                              "." + platform::file_part(target) + std::string(kTemporaryMark) + unique);
    const int error = file.make_kept(path);
    if (error == EEXIST) continue;  // of a process that died
    if (error == 0) name = path;
    return error;
  }
}

void clear_abandoned(const std::string& folder) {
  // Never destroyed: threads of a program in which this is a library write while it ends.
  static auto* mutex = new std::mutex;
  static auto* cleared = new std::set<std::string>;
  {
    const std::lock_guard lock(*mutex);
    if (!cleared->insert(folder).second) return;
  }
  for (const platform::FileEntry& entry : platform::files_in(folder.empty() ? "." : folder, false))
    if (is_temporary(platform::file_part(entry.name))) platform::remove_if_abandoned(entry.name);
}

Result<void> replace_file(const std::string& path, const std::string& bytes) {
  const std::string folder = platform::folder_of(path);
  clear_abandoned(folder);
  if (holds_bytes(path, bytes)) return {};
  NewFolders folders;
  if (const int error = folders.make(folder); error != 0)
    return make_error(ErrorKind::io, path, "cannot create the folder " + folder + ": " + std::strerror(error));
  if (platform::kind_of(folder, Links::seen) != FileKind::folder) return cannot_write(path, ENOTDIR);
  platform::OutputFile file;
  std::string temporary;
  if (const int error = make_temporary(path, file, temporary); error != 0) return cannot_write(path, error);
  if (platform::kind_of(path, Links::seen) == FileKind::regular) file.take_mode_of(path);
  int error = file.write(bytes);
  if (error == 0) error = file.check_written();
  if (error == 0) error = file.rename(temporary, path);
  if (error != 0) {
    (void)file.close();
    (void)platform::remove(temporary);
    return cannot_write(path, error);
  }
  folders.keep();
  return {};
}

}  // namespace varylink::store
