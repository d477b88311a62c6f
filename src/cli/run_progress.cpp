#include "cli/run_progress.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <utility>

#include "platform/path.h"
#include "platform/terminal.h"

namespace varylink::cli {
namespace {

constexpr std::size_t kDefaultColumns = 80;
constexpr const char* kClear = "\r\033[K";

}  // namespace

RunProgress::RunProgress(std::string journal, bool wanted)
    : journal_(std::move(journal)), shown_(wanted && platform::stderr_is_terminal()) {}

RunProgress::~RunProgress() {
  if (shown_ && !seen_.pipelines.empty()) std::fputs(kClear, stderr);
}

void RunProgress::look() {
  std::ifstream file(platform::path_of(journal_), std::ios::binary);
  file.seekg(static_cast<std::streamoff>(read_));
  const std::string more{std::istreambuf_iterator<char>(file), {}};
  read_ += more.size();
  unfinished_ += more;
  const std::size_t whole = unfinished_.rfind('\n') + 1;
  RunRecord news = read_journal(unfinished_.substr(0, whole));
  unfinished_.erase(0, whole);
  if (news.pipelines.empty()) return;
  std::move(news.pipelines.begin(), news.pipelines.end(), std::back_inserter(seen_.pipelines));
  std::string line = progress_of(seen_);
  const std::size_t columns = platform::stderr_columns().value_or(kDefaultColumns);
  if (line.size() >= columns) line.resize(std::min(line.size(), line.rfind(',', columns - 1)));
  std::fprintf(stderr, "%s%s", kClear, line.c_str());
  std::fflush(stderr);
}

}  // namespace varylink::cli
