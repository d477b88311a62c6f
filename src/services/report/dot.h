// The values of pipelines as graphs for Graphviz.
#pragma once

#include <span>
#include <string>

#include "report/report_entry.h"

namespace varylink::report {

// One digraph per pipeline, named after it, with a part for each interface:
//   * values that the producer computes for the interface, and those of the consumer that either could compute;
//   * components as declared (coloured by outcome) and as they cross now, a row per location, a field per component;
//   * the cut: edges in red, from sent values to the fields that carry them;
//   * moved values, filled by direction, and values that no stage computes any more, dashed.
// A pipeline without flows gives a graph that says why. Same records, same text.
std::string dot(std::span<const ReportEntry> pipelines);

}  // namespace varylink::report
