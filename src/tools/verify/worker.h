// Comparisons in a child process with a time limit. The child handles many pipelines and is started again when a driver
// crashed or hung in it, so that one bad pipeline costs one `not_run`, not the run.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "verify/verify.h"

namespace varylink::verify {

class Worker {
 public:
  // Starts the child and waits until it has a device. The child is this program once more, whose main() calls
  // serve_parent. Error (ErrorKind::usage): the same as Device::create.
  static Result<Worker> start();
  // False if this process is no child of a Worker. In a child draws until the parent is gone, and returns true: the
  // process is to end then. To be called first in main(), with the arguments of main().
  static bool serve_parent(int count, char** values);

  Worker(Worker&&) noexcept;
  Worker& operator=(Worker&&) noexcept;
  ~Worker();  // ends the child

  const std::string& description() const;

  // Like verify::compare. A crash of the driver or a passed time limit gives Verdict::not_run with a reason that says
  // so and names the signal, and starts the child again; a crash that only the linked pipeline causes,
  // Verdict::different.
  Comparison compare(const std::vector<link::StageInput>& original, const std::vector<link::StageInput>& linked,
                     const VerifyOptions& options);

 private:
  struct Child;
  explicit Worker(std::unique_ptr<Child> child);
  std::unique_ptr<Child> child_;
};

// The outcome of a comparison in a process of its own.
struct Answer {
  Comparison comparison;  // Verdict::not_run with a reason if there is none
  bool has_crashed = false;
};
using Compare = std::function<Answer(const std::vector<link::StageInput>& original,
                                     const std::vector<link::StageInput>& linked, const VerifyOptions& options)>;

// Returns the answer of `compare`. After a crash `compare` is asked once more, with the original on both sides, to tell
// which pipeline caused the crash.
Comparison compare_and_tell_crashes(const Compare& compare, const std::vector<link::StageInput>& original,
                                    const std::vector<link::StageInput>& linked, const VerifyOptions& options);

}  // namespace varylink::verify
