#include "summary.h"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <vector>

namespace varylink::bench {
namespace {

// Google Benchmark 1.8 renamed the member.
template <typename Run>
bool failed(const Run& run) {
  if constexpr (requires { run.error_occurred; })
    return run.error_occurred;
  else
    return static_cast<bool>(run.skipped);
}

}  // namespace

void SummaryReporter::ReportRuns(const std::vector<Run>& runs) {
  ConsoleReporter::ReportRuns(runs);
  for (const Run& run : runs) {
    const std::string& name = run.run_name.function_name;
    const std::size_t first = name.find('/');
    const std::size_t second = name.find('/', first + 1);
    if (failed(run) || run.run_type != Run::RT_Iteration || second == std::string::npos) continue;
    Times& times = sets_[name.substr(first + 1, second - first - 1)][name.substr(second + 1)];
    const double milliseconds = run.cpu_accumulated_time / static_cast<double>(run.iterations) * 1e3;
    (name.starts_with("link/")    ? times.link
     : name.starts_with("again/") ? times.again
                                  : times.spirv_opt) = milliseconds;
  }
}

void SummaryReporter::print_summary(std::ostream& out) const {
  out << "\n| set | pipelines | link, ms each | again, ms each | spirv-opt -O, ms each | ratio | median ratio | worst "
         "ratio |\n"
      << "|---|---|---|---|---|---|---|---|\n"
      << std::fixed << std::setprecision(2);
  for (const auto& [set, pipelines] : sets_) {
    std::vector<std::pair<double, std::string>> ratios;
    Times sum;
    for (const auto& [name, times] : pipelines) {
      if (times.link <= 0 || times.spirv_opt <= 0) continue;
      sum.link += times.link;
      sum.again += times.again;
      sum.spirv_opt += times.spirv_opt;
      ratios.emplace_back(times.link / times.spirv_opt, name);
    }
    if (ratios.empty()) continue;
    std::sort(ratios.begin(), ratios.end());
    const double count = static_cast<double>(ratios.size());
    out << "| " << set << " | " << ratios.size() << " | " << sum.link / count << " | " << sum.again / count << " | "
        << sum.spirv_opt / count << " | " << sum.link / sum.spirv_opt << " | " << ratios[ratios.size() / 2].first
        << " | " << ratios.back().first << " (" << ratios.back().second << ") |\n";
  }
}

}  // namespace varylink::bench
