// Measurements in a child process with a time limit, so that a driver that crashes or hangs costs one pipeline, not the
// run.
#pragma once

#include <memory>
#include <string>

#include "meter/compile.h"

namespace varylink::measure {

class Meter {
 public:
  // Starts the child and waits until it has a device: the first one that can draw, or the one whose name contains
  // VARYLINK_VK_DEVICE. The child is this program once more, whose main() calls serve_parent(). Error (usage): no
  // driver with statistics.
  static Result<Meter> start();
  // To be called first thing in main(), whose arguments it takes: true if this process was such a child, which is over.
  static bool serve_parent(int count, char** values);

  Meter(Meter&&) noexcept;
  Meter& operator=(Meter&&) noexcept;
  ~Meter();

  // The device, in words.
  const std::string& description() const;

  // Never fails: Measurement::failure says why nothing was measured. `seconds`: for both sides together. A pipeline in
  // which the driver crashes or hangs is tried again with the original on both sides, which tells whose fault it is.
  Measurement measure(const std::vector<link::StageInput>& original, const std::vector<link::StageInput>& linked,
                      const state::PipelineState& state, double seconds);

 private:
  struct Child;
  explicit Meter(std::unique_ptr<Child> child);
  std::unique_ptr<Child> child_;
};

}  // namespace varylink::measure
