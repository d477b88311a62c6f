// A progress bar on a terminal; nothing elsewhere.
#pragma once

#include <cstddef>
#include <string>

namespace varylink::cli {

// Characters that fit on a line of the terminal of standard error.
std::size_t progress_columns();

class Progress {
 public:
  // Draws on standard error if `wanted` and that is a terminal.
  Progress(std::size_t total, bool wanted);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool shown() const { return shown_; }
  void step(const std::string& name);
  // Takes the bar off the screen, so that something can be printed; the next step draws it again.
  void clear();

 private:
  std::size_t total_;
  std::size_t done_ = 0;
  bool shown_;
};

}  // namespace varylink::cli
