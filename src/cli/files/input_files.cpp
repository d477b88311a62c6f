#include "cli/files/input_files.h"

#include <sys/stat.h>

#include <optional>

namespace varylink::cli {
namespace {

using Identity = std::pair<std::uint64_t, std::uint64_t>;

std::optional<Identity> identity(const std::string& path) {
  struct stat status {};
  if (path.empty() || path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  return Identity(status.st_dev, status.st_ino);
}

}  // namespace

void InputFiles::add(const std::string& path) {
  if (const std::optional<Identity> file = identity(path)) files_.insert(*file);
}

Result<void> InputFiles::check_result(const std::string& path, const std::string& option) const {
  const std::optional<Identity> file = identity(path);
  if (!file || files_.count(*file) == 0) return {};
  return make_error(ErrorKind::usage, path, option + " would overwrite this file, which is read: nothing was written");
}

}  // namespace varylink::cli
