// The values of pipelines as graphs for Graphviz.
#pragma once

#include <span>
#include <string>

#include "report/pipeline_record.h"

namespace varylink::report {

// One digraph per pipeline, named after it, with a part for each interface:
//   * what the producer computes for the interface, and what the consumer computes from it that either could compute;
//   * what crosses as declared (coloured by outcome) and what crosses now, a row per location, a field per component;
//   * the cut: edges in red, from what is sent to the field that carries it;
//   * what moved, filled by direction, and what nobody computes any more, dashed.
// A pipeline without flows gives a graph that says why. Same records, same text.
std::string dot(std::span<const PipelineRecord> pipelines);

}  // namespace varylink::report
