// Text that the command prints.
#pragma once

#include <string>

#include "report/report_entry.h"

namespace varylink::report {

// "vert→frag  components 18 → 5, locations 5 → 2, bytes per vertex 72 → 20  (dead 10, constant 2, duplicate 1)"
// without a line break. Outcomes that no component has are left out, and so are the parentheses if none is left.
std::string interface_line(const link::InterfaceReport& interface);

// "frag  instructions 41 → 32, critical path 60 → 52, live scalars 13 → 9" without a line break; empty if the stage was
// not measured.
std::string cost_line(const StageRecord& stage);

// "at -O3: components 10 → 8, locations 4 → 3", or "at -O3: no fewer components" without a line break.
std::string next_level_line(const NextLevel& next);
// "fits into the limits, by -O3"
std::string fit_line(const FitRecord& fit);
// "fragment shader at 97.5 % of its cost, with -O1".
std::string fragment_cost_line(const FragmentCostRecord& cost);

// How many pipelines were linked, which failed and why, and the sizes before and after; several lines, each with its
// line break.
std::string summary_table(const Totals& totals);

}  // namespace varylink::report
