#include "platform/temporary_folder.h"

#include <filesystem>
#include <system_error>

#include "platform/file_system.h"
#include "platform/path.h"

namespace varylink::platform {

TemporaryFolder::TemporaryFolder(const std::string& prefix) : name_(make_temporary_folder(prefix)) {}

TemporaryFolder::~TemporaryFolder() {
  if (!is_there()) return;
  std::error_code ignored;
  std::filesystem::remove_all(platform::path_of(name_), ignored);
}

std::string TemporaryFolder::path_of(const std::string& file) const { return joined(name_, file); }

}  // namespace varylink::platform
