// Ends by signal wait for renames that belong together.
#pragma once

namespace varylink::cli {

// While one of these lives, SIGINT, SIGTERM and SIGHUP do not end the process; one that came ends it when the last one
// is gone. Signals that the process ignores stay ignored. Any number of threads may hold one.
class CommitGate {
 public:
  CommitGate();
  ~CommitGate();
  CommitGate(const CommitGate&) = delete;
  CommitGate& operator=(const CommitGate&) = delete;
};

}  // namespace varylink::cli
