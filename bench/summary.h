// Prints the usual table of Google Benchmark and remembers it, to say at the end how long linking takes in relation to
// `spirv-opt -O`.
#pragma once

#include <benchmark/benchmark.h>

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace varylink::bench {

class SummaryReporter : public benchmark::ConsoleReporter {
 public:
  SummaryReporter() : ConsoleReporter(OO_Tabular) {}

  // Names of runs are "link/<set>/<pipeline>" and "spirv_opt/<set>/<pipeline>".
  void ReportRuns(const std::vector<Run>& runs) override;

  // A Markdown table with one row per set: CPU time per pipeline of both, ratio of the sums, median and worst ratio.
  void print_summary(std::ostream& out) const;

 private:
  struct Times {
    double link = 0, again = 0, spirv_opt = 0;  // milliseconds of CPU time
  };
  std::map<std::string, std::map<std::string, Times>> sets_;  // set -> pipeline -> times
};

}  // namespace varylink::bench
