// Files that a run reads, so that no result overwrites one of them.
#pragma once

#include <set>
#include <string>

#include "base/result.h"
#include "platform/file_system.h"

namespace varylink::cli {

// Remembers what files are, not what they are called: "a", "./a", a link to it and a second name of it are one file.
class InputFiles {
 public:
  // "-", an empty name and files that are not there are left out.
  void add(const std::string& path);
  // Error (usage): `path` is one of the files. `option` names the result, such as "-o".
  Result<void> check_result(const std::string& path, const std::string& option) const;

 private:
  std::set<platform::FileIdentity> files_;
};

}  // namespace varylink::cli
