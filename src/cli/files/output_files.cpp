#include "cli/files/output_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "frontend/read_file.h"

namespace varylink::cli {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kNewFileMode = 0666;  // what the umask leaves of it

Diagnostic io_error(const std::string& path, const std::string& what, int error) {
  return make_error(ErrorKind::io, path, what + ": " + std::strerror(error));
}

// Writes everything and closes. Returns 0 or an errno value.
int write_and_close(int descriptor, const std::string& bytes) {
  std::size_t done = 0;
  int error = 0;
  while (done < bytes.size() && error == 0) {
    const ssize_t count = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count >= 0)
      done += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      error = errno;
  }
  if (::close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

// One file on its way to its place.
struct Pending {
  std::string path;                   // as the user named it
  fs::path target;                    // behind symbolic links
  std::string temporary;              // empty if nothing has to be renamed
  std::optional<std::string> before;  // what was there
  bool renamed = false;
};

class Transaction {
 public:
  ~Transaction() {
    if (!committed_) roll_back();
  }

  Result<void> stage(const OutputFile& file);
  Result<void> commit();

 private:
  Result<void> make_folder(const fs::path& folder, const std::string& path);
  Result<void> write_temporary(Pending& pending, const std::string& bytes);
  void roll_back();

  std::vector<Pending> pending_;
  std::vector<fs::path> new_folders_;
  std::vector<OutputFile> direct_;  // for pipes and devices
  bool committed_ = false;
};

Result<void> Transaction::make_folder(const fs::path& folder, const std::string& path) {
  std::error_code error;
  if (folder.empty() || fs::is_directory(folder, error)) return {};
  if (Result<void> parent = make_folder(folder.parent_path(), path); !parent) return parent;
  if (fs::create_directory(folder, error)) new_folders_.push_back(folder);
  const int reason = error ? error.value() : ENOTDIR;
  // Another process or thread may have made it in the meantime.
  if (!fs::is_directory(folder, error)) return io_error(path, "cannot create the folder " + folder.string(), reason);
  return {};
}

Result<void> Transaction::write_temporary(Pending& pending, const std::string& bytes) {
  static std::atomic<std::uint64_t> counter{0};
  const std::string unique = std::to_string(::getpid()) + "-" + std::to_string(counter++);
  const fs::path temporary = pending.target.parent_path() / ("." + pending.target.filename().string() + "." + unique);
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kNewFileMode);
  if (descriptor < 0) return io_error(pending.path, "cannot write", errno);
  pending.temporary = temporary.string();
  struct stat old {};
  if (pending.before && ::stat(pending.target.c_str(), &old) == 0) ::fchmod(descriptor, old.st_mode & 07777);
  const int error = write_and_close(descriptor, bytes);
  return error == 0 ? Result<void>() : io_error(pending.path, "cannot write", error);
}

Result<void> Transaction::stage(const OutputFile& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file.path, error);
  if (fs::is_directory(status)) return io_error(file.path, "cannot write", EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    direct_.push_back(file);
    return {};
  }
  Pending pending{file.path, file.path, {}, {}, false};
  if (fs::exists(status)) {
    const fs::path real = fs::canonical(file.path, error);
    if (!error) pending.target = real;
    Result<std::string> before = frontend::read_file(file.path);
    if (before && *before == file.bytes) return {};
    if (!before) return before.error();
    pending.before = std::move(*before);
  }
  if (Result<void> made = make_folder(pending.target.parent_path(), file.path); !made) return made;
  pending_.push_back(std::move(pending));
  return write_temporary(pending_.back(), file.bytes);
}

Result<void> Transaction::commit() {
  for (const OutputFile& file : direct_) {
    const int descriptor = ::open(file.path.c_str(), O_WRONLY | O_CLOEXEC);
    const int error = descriptor < 0 ? errno : write_and_close(descriptor, file.bytes);
    if (error != 0) return io_error(file.path, "cannot write", error);
  }
  for (Pending& pending : pending_) {
    if (std::rename(pending.temporary.c_str(), pending.target.c_str()) != 0)
      return io_error(pending.path, "cannot write", errno);
    pending.renamed = true;
  }
  committed_ = true;
  return {};
}

// Best effort: what cannot be undone was reported as an error already.
void Transaction::roll_back() {
  for (const Pending& pending : pending_) {
    if (!pending.renamed) {
      if (!pending.temporary.empty()) ::unlink(pending.temporary.c_str());
    } else if (!pending.before) {
      ::unlink(pending.target.c_str());
    } else if (const int descriptor = ::open(pending.target.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC); descriptor >= 0) {
      (void)write_and_close(descriptor, *pending.before);
    }
  }
  std::error_code ignored;
  for (auto folder = new_folders_.rbegin(); folder != new_folders_.rend(); ++folder) fs::remove(*folder, ignored);
}

}  // namespace

Result<void> write_files(std::span<const OutputFile> files) {
  Transaction transaction;
  for (const OutputFile& file : files)
    if (Result<void> staged = transaction.stage(file); !staged) return staged;
  return transaction.commit();
}

std::string bytes_of(std::span<const std::uint32_t> words) {
  return std::string(reinterpret_cast<const char*>(words.data()), words.size_bytes());
}

}  // namespace varylink::cli
