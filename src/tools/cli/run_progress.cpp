#include "cli/run_progress.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

#include "cli/progress.h"
#include "frontend/read_file.h"
#include "platform/terminal.h"

namespace varylink::cli {
namespace {

constexpr const char* kClear = "\r\033[K";

}  // namespace

RunProgress::RunProgress(std::string journal, bool wanted)
    : journal_(std::move(journal)), shown_(wanted && platform::stderr_is_terminal()) {}

RunProgress::~RunProgress() {
  if (shown_ && !seen_.pipelines.empty()) std::fputs(kClear, stderr);
}

void RunProgress::look() {
  const Result<std::string> text = frontend::read_large_file(journal_);
  if (!text || text->size() <= read_) return;
  unfinished_ += text->substr(read_);
  read_ = text->size();
  const std::size_t whole = unfinished_.rfind('\n') + 1;
  RunRecord news = read_journal(unfinished_.substr(0, whole));
  unfinished_.erase(0, whole);
  if (news.pipelines.empty()) return;
  std::move(news.pipelines.begin(), news.pipelines.end(), std::back_inserter(seen_.pipelines));
  std::string line = progress_of(seen_);
  const std::size_t columns = progress_columns();
  if (line.size() >= columns) line.resize(std::min(line.size(), line.rfind(',', columns - 1)));
  std::fprintf(stderr, "%s%s", kClear, line.c_str());
  std::fflush(stderr);
}

}  // namespace varylink::cli
