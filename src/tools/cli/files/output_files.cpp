#include "cli/files/output_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "frontend/read_file.h"
#include "platform/end_requests.h"
#include "platform/file_system.h"
#include "platform/output_file.h"
#include "platform/path.h"
#include "store/temporary_file.h"

namespace varylink::cli {
namespace {

using platform::FileKind;
using platform::Links;

constexpr std::uint64_t kPartSize = 1 << 20;

Diagnostic io_error(const std::string& path, const std::string& what, int error) {
  return make_error(ErrorKind::io, path, what + ": " + std::strerror(error));
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

int write_content(platform::OutputFile& to, const OutputFile& file) {
  return for_each_part(file, [&](const std::string& part) { return to.write(part); });
}

bool holds_content(const std::string& path, const OutputFile& file, Links links) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(platform::open_for_reading(path, links), std::fclose);
  if (!in) return false;
  const auto is_next = [&](const std::string& part) {
    std::string there(part.size(), '\0');
    return std::fread(there.data(), 1, there.size(), in.get()) == part.size() && there == part ? 0 : EILSEQ;
  };
  return for_each_part(file, is_next) == 0 && std::fgetc(in.get()) == EOF;
}

// Writes everything into what is there. Returns 0 or an errno value.
int write_over(const std::string& path, const OutputFile& file, bool empty) {
  platform::OutputFile out;
  if (const int error = out.open(path, empty); error != 0) return error;
  const int error = write_content(out, file), at_end = out.close();
  return error != 0 ? error : at_end;
}

// One file on its way to its place.
struct Pending {
  std::string path;                        // as the user named it
  std::string target;                      // behind symbolic links
  std::string temporary = {};              // its name; empty if nothing has to be renamed
  platform::OutputFile kept = {};          // the temporary file
  std::optional<std::string> before = {};  // what was there
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
  Result<void> make_folder(const std::string& folder, const std::string& path);
  static Result<void> keep_before(Pending& pending, const OutputFile& file);
  Result<void> write_temporary(Pending& pending, const OutputFile& file);
  void roll_back();

  std::vector<Pending> pending_;
  std::vector<std::string> new_folders_;
  std::vector<OutputFile> direct_;  // for pipes and devices
  bool committed_ = false;
  std::optional<platform::HoldEndRequests> gate_;  // from the first rename to the end, be it a commit or a roll-back
};

Result<void> Transaction::make_folder(const std::string& folder, const std::string& path) {
  if (folder.empty() || platform::is_folder(folder)) return {};
  if (Result<void> parent = make_folder(platform::folder_of(folder), path); !parent) return parent;
  const int error = platform::make_folder(folder);
  if (error == 0) new_folders_.push_back(folder);
  // Another process or thread may have made it in the meantime.
  if (!platform::is_folder(folder))
    return io_error(path, "cannot create the folder " + folder, error == 0 || error == EEXIST ? ENOTDIR : error);
  return {};
}

Result<void> Transaction::write_temporary(Pending& pending, const OutputFile& file) {
  if (const int error = store::make_temporary(pending.target, pending.kept, pending.temporary); error != 0)
    return io_error(pending.path, "cannot write", error);
  if (platform::kind_of(pending.target, Links::seen) == FileKind::regular) pending.kept.take_mode_of(pending.target);
  const int error = write_content(pending.kept, file), at_end = pending.kept.check_written();
  if (error != 0 || at_end != 0) return io_error(pending.path, "cannot write", error != 0 ? error : at_end);
  return {};
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
  if (file.path == kStandardOutput) {
    direct_.push_back(file);
    return {};
  }
  const FileKind kind = platform::kind_of(file.path);
  if (kind == FileKind::folder) return io_error(file.path, "cannot write", EISDIR);
  if (kind == FileKind::other) {
    direct_.push_back(file);
    return {};
  }
  const bool is_there = kind == FileKind::regular;
  Pending pending{file.path, is_there ? platform::real_name(file.path) : file.path};
  store::clear_abandoned(platform::folder_of(pending.target));
  if (is_there) {
    if (holds_content(file.path, file, Links::followed)) return {};
    if (Result<void> kept = keep_before(pending, file); !kept) return kept;
  }
  if (Result<void> made = make_folder(platform::folder_of(pending.target), file.path); !made) return made;
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
    if (const int error = write_over(file.path, file, false); error != 0)
      return io_error(file.path, "cannot write", error);
  }
  gate_.emplace();
  for (Pending& pending : pending_) {
    if (const int error = pending.kept.rename(pending.temporary, pending.target); error != 0)
      return io_error(pending.path, "cannot write", error);
    pending.renamed = true;
  }
  committed_ = true;
  return {};
}

// Best effort: what cannot be undone was reported as an error already.
void Transaction::roll_back() {
  for (Pending& pending : pending_) {
    (void)pending.kept.close();
    if (!pending.renamed) {
      if (!pending.temporary.empty()) (void)platform::remove(pending.temporary);
    } else if (!pending.before) {
      (void)platform::remove(pending.target);
    } else {
      (void)write_over(pending.target, {{}, *pending.before}, true);
    }
  }
  for (auto folder = new_folders_.rbegin(); folder != new_folders_.rend(); ++folder) (void)platform::remove(*folder);
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
