#include "platform/temporary_folder.h"

#include <functional>
#include <set>

#include "platform/file_system.h"
#include "platform/path.h"

namespace varylink::platform {

TemporaryFolder::TemporaryFolder(const std::string& prefix) : name_(make_temporary_folder(prefix)) {}

TemporaryFolder::~TemporaryFolder() {
  if (!is_there()) return;
  // Names of inner folders are greater than those of the folders around them.
  std::set<std::string, std::greater<>> folders = {name_};
  for (const FileEntry& file : files_in(name_, true)) {
    for (std::string folder = folder_of(file.name); folder.size() > name_.size(); folder = folder_of(folder))
      folders.insert(folder);
    (void)remove(file.name);
  }
  for (const std::string& folder : folders) (void)remove(folder);
}

std::string TemporaryFolder::path_of(const std::string& file) const { return joined(name_, file); }

}  // namespace varylink::platform
