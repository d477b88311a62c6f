#include "cli/files/input_files.h"

#include <optional>

namespace varylink::cli {
namespace {

std::optional<platform::FileIdentity> identity(const std::string& path) {
  return path == "-" ? std::nullopt : platform::identity_of(path);
}

}  // namespace

void InputFiles::add(const std::string& path) {
  if (const std::optional<platform::FileIdentity> file = identity(path)) files_.insert(*file);
}

Result<void> InputFiles::check_result(const std::string& path, const std::string& option) const {
  const std::optional<platform::FileIdentity> file = identity(path);
  if (!file || files_.count(*file) == 0) return {};
  return make_error(ErrorKind::usage, path, option + " would overwrite this file, which is read: nothing was written");
}

}  // namespace varylink::cli
