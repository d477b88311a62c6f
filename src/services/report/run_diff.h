// Two runs side by side: which pipelines got better and which worse, measure by measure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace varylink::report {

// One measure of one pipeline in both runs.
struct MeasureChange {
  std::string measure;  // "components", "frag instructions", ...
  std::uint64_t before = 0, after = 0;
};

struct PipelineChange {
  std::string name;
  std::vector<MeasureChange> changes;  // those that differ
};

// A measure over all pipelines that both runs linked.
struct MeasureSummary {
  std::string measure;
  std::size_t helped = 0, hurt = 0, same = 0;  // pipelines
  std::uint64_t before = 0, after = 0;         // sums
};

// A number of the second run, and of the first one if the two can be compared.
struct MeasuredValue {
  std::string measure;
  std::optional<double> before;
  double after = 0;
};

struct PipelineValues {
  std::string name;
  std::vector<MeasuredValue> values;
};

struct RunDiff {
  std::string before_file, after_file;
  std::size_t compared = 0;               // pipelines that both runs linked
  std::vector<MeasureSummary> measures;   // of a stage only if both runs measured it with the same profile
  std::vector<PipelineChange> pipelines;  // those with a difference, in the order of the second run
  std::vector<PipelineValues> values;     // of all pipelines that the second run linked
  std::vector<std::string> only_before, only_after, now_failing, now_linked;
  std::vector<std::string> notes;  // differences that make the runs hard to compare, such as profiles
};

// Compares the texts of two reports as `varylink link --report` writes them; the file names are for messages.
// Error (usage): a text that is no such report, about its file.
Result<RunDiff> diff_runs(std::string_view before, const std::string& before_file, std::string_view after,
                          const std::string& after_file);

// A reason to refuse a run: pipelines that are worse in some measure, that fail now and did not, that the second
// run lacks, or that differ in any way.
enum class Regression { worse, failing, missing, changed };
struct RegressionName {
  const char* name;  // as an option
  Regression kind;
  const char* text;  // "3 pipelines are ..."
};
constexpr std::array<RegressionName, 4> kRegressions = {{{"worse", Regression::worse, "worse"},
                                                         {"failing", Regression::failing, "failing now"},
                                                         {"missing", Regression::missing, "missing"},
                                                         {"changed", Regression::changed, "changed"}}};
// The number of pipelines that it holds for. A pipeline that fails now is worse, too.
std::size_t count_of(const RunDiff& diff, Regression kind);

enum class TextStyle { plain, markdown };

// A table of the measures and the pipelines that changed, those that were hurt first, `limit` of either kind (0: all).
std::string render(const RunDiff& diff, TextStyle style, std::size_t limit);

}  // namespace varylink::report
