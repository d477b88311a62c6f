#include "cli/progress.h"

#include <algorithm>
#include <cstdio>

#include "base/printable.h"
#include "platform/terminal.h"

namespace varylink::cli {
namespace {

constexpr std::size_t kDefaultColumns = 80;
constexpr std::size_t kBarWidth = 30;

}  // namespace

std::size_t progress_columns() { return platform::stderr_columns().value_or(kDefaultColumns); }

Progress::Progress(std::size_t total, bool wanted)
    : total_(total), shown_(wanted && total > 0 && platform::stderr_is_terminal()) {}

void Progress::step(const std::string& name) {
  ++done_;
  if (!shown_) return;
  const std::size_t filled = kBarWidth * done_ / total_;
  std::string line = "[" + std::string(filled, '#') + std::string(kBarWidth - filled, '.') + "] " +
                     std::to_string(done_) + "/" + std::to_string(total_) + " " + printable(name);
  line.resize(std::min(line.size(), progress_columns() - 1));
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
}

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

}  // namespace varylink::cli
