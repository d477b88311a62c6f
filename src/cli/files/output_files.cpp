#include "cli/files/output_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "cli/files/commit_gate.h"
#include "frontend/read_file.h"

namespace varylink::cli {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kNewFileMode = 0666;  // what the umask leaves of it
constexpr std::uint64_t kPartSize = 1 << 20;

Diagnostic io_error(const std::string& path, const std::string& what, int error) {
  return make_error(ErrorKind::io, path, what + ": " + std::strerror(error));
}

// Writes everything. Returns 0 or an errno value.
int write_all(int descriptor, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count >= 0)
      done += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

// Hands over the content of a file in parts that fit into memory, until one is refused with an errno value. Returns
// that, 0 if there is none.
int for_each_part(const OutputFile& file, const std::function<int(const std::string&)>& take) {
  if (const int error = take(file.bytes); error != 0) return error;
  const std::uint64_t size = file.body ? file.body->size() : 0;
  for (std::uint64_t offset = 0; offset < size; offset += kPartSize) {
    const std::optional<std::string> part = file.body->read({offset, std::min(kPartSize, size - offset)});
    if (!part) return EIO;
    if (const int error = take(*part); error != 0) return error;
  }
  return take(file.end);
}

int write_content(int descriptor, const OutputFile& file) {
  return for_each_part(file, [&](const std::string& part) { return write_all(descriptor, part); });
}

bool holds_content(const fs::path& path, const OutputFile& file) {
  std::ifstream in(path, std::ios::binary);
  const auto is_next = [&](const std::string& part) {
    std::string there(part.size(), '\0');
    return in.read(there.data(), static_cast<std::streamsize>(there.size())) && there == part ? 0 : EILSEQ;
  };
  return for_each_part(file, is_next) == 0 && in.peek() == std::ifstream::traits_type::eof();
}

// Writes everything and closes. Returns 0 or an errno value.
int write_and_close(int descriptor, const OutputFile& file) {
  const int error = write_content(descriptor, file);
  return ::close(descriptor) != 0 && error == 0 ? errno : error;
}

// ---- Temporary files. The run that makes one keeps it locked, so that whoever can lock it knows that this run has
// died. (A process number would not tell: it may belong to another machine or, by now, to another process.)

constexpr std::string_view kTemporaryMark = ".varylink-";  // behind the name of the file, in front of numbers

bool is_temporary(const std::string& name) {
  const std::size_t mark = name.rfind(kTemporaryMark);
  return name.front() == '.' && mark != std::string::npos && mark + kTemporaryMark.size() < name.size() &&
         name.find_first_not_of("0123456789-", mark + kTemporaryMark.size()) == std::string::npos;
}

void remove_if_abandoned(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  ::close(descriptor);
}

// Removes what runs that died have left in a folder; once per folder and process.
void clear_abandoned(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<std::string> cleared;
  {
    const std::lock_guard lock(mutex);
    if (!cleared.insert(folder.string()).second) return;
  }
  std::error_code error;
  for (fs::directory_iterator it(folder.empty() ? fs::path(".") : folder, error), end; !error && it != end;
       it.increment(error))
    if (is_temporary(it->path().filename().string())) remove_if_abandoned(it->path());
}

// One file on its way to its place.
struct Pending {
  std::string path;                   // as the user named it
  fs::path target;                    // behind symbolic links
  std::string temporary;              // empty if nothing has to be renamed
  int lock = -1;                      // the descriptor of the temporary file, which holds its lock
  std::optional<std::string> before;  // what was there
  bool renamed = false;
};

class Transaction {
 public:
  ~Transaction() {
    if (!committed_) roll_back();
    for (const Pending& pending : pending_)
      if (pending.lock >= 0) ::close(pending.lock);
  }

  Result<void> stage(const OutputFile& file);
  Result<void> commit();

 private:
  Result<void> make_folder(const fs::path& folder, const std::string& path);
  static Result<void> keep_before(Pending& pending, const OutputFile& file);
  Result<void> write_temporary(Pending& pending, const OutputFile& file);
  void roll_back();

  std::vector<Pending> pending_;
  std::vector<fs::path> new_folders_;
  std::vector<OutputFile> direct_;  // for pipes and devices
  bool committed_ = false;
  std::optional<CommitGate> gate_;  // from the first rename to the end, be it a commit or a roll-back
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

// A new file beside `target` that this process holds locked. Returns its path and descriptor; -1 and errno on failure.
std::pair<std::string, int> make_temporary(const fs::path& target) {
  static std::atomic<std::uint64_t> counter{0};
  while (true) {
    const std::string unique = std::to_string(::getpid()) + "-" + std::to_string(counter++);
    const std::string name = "." + target.filename().string() + std::string(kTemporaryMark) + unique;
    const std::string path = (target.parent_path() / name).string();
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kNewFileMode);
    if (descriptor < 0 && errno == EEXIST) continue;  // of a run that died
    if (descriptor < 0) return {path, -1};
    ::flock(descriptor, LOCK_EX);
    struct stat made {};
    // Another run may have been faster to lock it, and have removed it.
    if (::fstat(descriptor, &made) != 0 || made.st_nlink > 0) return {path, descriptor};
    ::close(descriptor);
  }
}

Result<void> Transaction::write_temporary(Pending& pending, const OutputFile& file) {
  const auto [path, descriptor] = make_temporary(pending.target);
  if (descriptor < 0) return io_error(pending.path, "cannot write", errno);
  pending.temporary = path;
  pending.lock = descriptor;
  struct stat old {};
  if (::stat(pending.target.c_str(), &old) == 0) ::fchmod(descriptor, old.st_mode & 07777);
  int error = write_content(descriptor, file);
  // What network file systems find out at the end only, closing a second descriptor tells.
  const int second = ::dup(descriptor);
  if (second >= 0 && ::close(second) != 0 && error == 0) error = errno;
  return error == 0 ? Result<void>() : io_error(pending.path, "cannot write", error);
}

// Of the last file of a set nothing is kept: once it has its name, all is done.
Result<void> Transaction::keep_before(Pending& pending, const OutputFile& file) {
  if (file.body) return {};
  Result<std::string> before = frontend::read_file(file.path);
  if (!before) return before.error();
  pending.before = std::move(*before);
  return {};
}

Result<void> Transaction::stage(const OutputFile& file) {
  std::error_code error;
  if (file.path == kStandardOutput) {
    direct_.push_back(file);
    return {};
  }
  const fs::file_status status = fs::status(file.path, error);
  if (fs::is_directory(status)) return io_error(file.path, "cannot write", EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    direct_.push_back(file);
    return {};
  }
  Pending pending{file.path, file.path, {}, -1, {}, false};
  if (fs::exists(status)) {
    const fs::path real = fs::canonical(file.path, error);
    if (!error) pending.target = real;
  }
  clear_abandoned(pending.target.parent_path());
  if (fs::exists(status)) {
    if (holds_content(file.path, file)) return {};
    if (Result<void> kept = keep_before(pending, file); !kept) return kept;
  }
  if (Result<void> made = make_folder(pending.target.parent_path(), file.path); !made) return made;
  pending_.push_back(std::move(pending));
  return write_temporary(pending_.back(), file);
}

Result<void> Transaction::commit() {
  for (const OutputFile& file : direct_) {
    if (file.path == kStandardOutput) {
      // What does not arrive is noticed when the stream is flushed at the end.
      (void)for_each_part(file, [](const std::string& part) {
        std::fwrite(part.data(), 1, part.size(), stdout);
        return 0;
      });
      continue;
    }
    const int descriptor = ::open(file.path.c_str(), O_WRONLY | O_CLOEXEC);
    const int error = descriptor < 0 ? errno : write_and_close(descriptor, file);
    if (error != 0) return io_error(file.path, "cannot write", error);
  }
  gate_.emplace();
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
      (void)write_and_close(descriptor, {{}, *pending.before});
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
