#include "cli/files/report_files.h"

#include "cli/files/output_files.h"
#include "platform/place.h"

namespace varylink::cli {

Diagnostic named_twice(const std::string& path, const std::string& option, const std::string& other) {
  return make_error(ErrorKind::usage, path, option + " names a file that another option names, too: " + other);
}

Result<void> ReportFiles::add(const std::string& option, const std::string& path) {
  if (path.empty() || path == kStandardOutput) return {};
  const auto [place, fresh] = by_place_.emplace(platform::place_of(path), Named{option, path});
  if (!fresh) return named_twice(path, option, place->second.option);
  return {};
}

Result<void> ReportFiles::check_result(const std::string& path, const std::string& option) const {
  if (by_place_.empty() || path.empty() || path == kStandardOutput) return {};
  const auto report = by_place_.find(platform::place_of(path));
  if (report == by_place_.end()) return {};
  return named_twice(report->second.path, report->second.option, option);
}

Result<void> ReportFiles::check_results(const std::function<bool(const std::string&)>& is_result,
                                        const std::string& option) const {
  for (const auto& [place, report] : by_place_)
    if (is_result(report.path)) return named_twice(report.path, report.option, option);
  return {};
}

}  // namespace varylink::cli
