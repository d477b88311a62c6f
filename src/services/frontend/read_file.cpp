#include "frontend/read_file.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "platform/file_system.h"
#include "platform/path.h"

namespace varylink::frontend {
namespace {

constexpr std::size_t kMaxShaderBytes = std::size_t{256} << 20;

struct FileCloser {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

Diagnostic io_error(const std::string& path, const std::string& what) {
  return make_error(ErrorKind::io, display_name(path), what);
}

Result<std::string> read_up_to(std::size_t most_bytes, const std::string& path) {
  if (path != "-" && platform::is_folder(path)) return io_error(path, "is a folder, not a file");
  const File file(path == "-" ? stdin : platform::open_for_reading(path));
  if (!file) return io_error(path, std::string("cannot read: ") + std::strerror(errno));
  std::string bytes;
  std::array<char, 65536> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    bytes.append(buffer.data(), count);
    if (bytes.size() > most_bytes) return io_error(path, "is larger than " + std::to_string(most_bytes >> 20) + " MiB");
  }
  if (std::ferror(file.get())) return io_error(path, std::string("cannot read: ") + std::strerror(errno));
  return bytes;
}

}  // namespace

std::string display_name(const std::string& path) { return path == "-" ? "<stdin>" : platform::with_slashes(path); }

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  return text;
}

bool is_readable_file(const std::string& path) {
  const platform::FileKind kind = platform::kind_of(path);
  if (kind == platform::FileKind::none || kind == platform::FileKind::folder) return false;
  return File(platform::open_for_reading(path)) != nullptr;
}

Result<std::string> read_file(const std::string& path) { return read_up_to(kMaxShaderBytes, path); }
Result<std::string> read_large_file(const std::string& path) { return read_up_to(std::string().max_size(), path); }

}  // namespace varylink::frontend
