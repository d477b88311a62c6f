// Files that options name for reports of a run, so that none of them is another one or a result.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/result.h"

namespace varylink::cli {

// Remembers where files are to be, however they are spelled, and whether they are there or not.
class ReportFiles {
 public:
  // Error (usage): an option before this one named the file, too. An empty name and standard output are left out.
  Result<void> add(const std::string& option, const std::string& path);
  // Error (usage): one of the files is to be where `option` has a result written.
  Result<void> check_result(const std::string& path, const std::string& option) const;
  // The same for results whose names follow a pattern.
  Result<void> check_results(const std::function<bool(const std::string&)>& is_result, const std::string& option) const;
  bool empty() const { return by_place_.empty(); }

 private:
  struct Named {
    std::string option, path;
  };
  std::map<std::string, Named> by_place_;
};

// The message for a file that two options name.
Diagnostic named_twice(const std::string& path, const std::string& option, const std::string& other);

}  // namespace varylink::cli
