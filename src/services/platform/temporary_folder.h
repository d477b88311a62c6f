// A folder for the files of one run.
#pragma once

#include <string>

namespace varylink::platform {

// A new folder among the temporary ones that only this process knows. It goes with this object, and everything in it.
class TemporaryFolder {
 public:
  // The folder's name begins with `prefix`.
  explicit TemporaryFolder(const std::string& prefix);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // False if there is no place for temporary files.
  bool is_there() const { return !name_.empty(); }
  // The name of a file or folder in it.
  std::string path_of(const std::string& file) const;

 private:
  std::string name_;
};

}  // namespace varylink::platform
