// Another program whose output this one reads.
#pragma once

#include <string>
#include <vector>

namespace varylink::platform {

struct CapturedEnd {
  int error = 0;       // errno value; not 0: it could not be started
  int status = 0;      // its exit status, 255 if a signal ended it
  std::string output;  // standard output and standard error
};

// Runs words[0], which is looked for as a shell does, with the other words as arguments and without standard input;
// waits for its end. Any number of threads may. On Windows ENOSYS.
CapturedEnd run_captured(const std::vector<std::string>& words);

}  // namespace varylink::platform
