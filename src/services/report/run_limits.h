// Limits of the measures of two runs: how much a pipeline may get worse, and the most that it may have at all.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "report/run_diff.h"

namespace varylink::report {

// "components>0", "fragment-work>2%": a pipeline of both runs in which the measure grows by more than that, in its own
// unit or in percent of what it was.
struct GrowthLimit {
  std::string text;  // as it was given
  std::string measure;
  double most = 0;
  bool is_percent = false;
};

// Error (usage): no condition, or a measure that no report has.
Result<GrowthLimit> parse_growth_limit(const std::string& text);

// At most so much of a measure in every pipeline whose name fits to the pattern, where * stands for any characters and
// ? for one.
struct Budget {
  std::string pattern, measure;
  double most = 0;
};

// {"*": {"components": 16}, "ui/*": {"frag-instructions": 200}}. Error (usage): with line and column.
Result<std::vector<Budget>> parse_budgets(std::string_view text, const std::string& file);

// One line for each pipeline that goes beyond the limit: "lit: components 4 → 6".
std::vector<std::string> beyond(const RunDiff& diff, const GrowthLimit& limit);
// The same for budgets and the second run: "ui/menu: components 20, at most 16 (ui/*)". A pipeline that failed, or was
// not measured, is beyond none.
std::vector<std::string> beyond(const RunDiff& diff, const std::vector<Budget>& budgets);

}  // namespace varylink::report
