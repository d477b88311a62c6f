// The layer's journal so far, as a line on a terminal while the program runs; nothing elsewhere.
#pragma once

#include <cstddef>
#include <string>

#include "cli/run_summary.h"

namespace varylink::cli {

class RunProgress {
 public:
  // Draws on standard error if `wanted` and that is a terminal.
  RunProgress(std::string journal, bool wanted);
  ~RunProgress();
  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;

  bool shown() const { return shown_; }
  // Reads what the journal has got since the last time, and draws the line anew if pipelines have come.
  void look();

 private:
  std::string journal_, unfinished_;  // a line that the layer has not written to its end
  std::size_t read_ = 0;              // bytes of the journal
  RunRecord seen_;
  bool shown_;
};

}  // namespace varylink::cli
