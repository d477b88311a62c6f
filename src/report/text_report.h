// What the command prints.
#pragma once

#include <span>
#include <string>

#include "report/pipeline_record.h"

namespace varylink::report {

// "vert→frag  components 18 → 5, locations 5 → 2, bytes per vertex 72 → 20  (dead 10, constant 2, duplicate 1)"
// without a line break. Fates that no component met are left out, and so are the parentheses if none is left.
std::string interface_line(const link::InterfaceReport& interface);

// How many pipelines were linked, which failed and why, and the sizes before and after; several lines, each with its
// line break.
std::string summary_table(std::span<const PipelineRecord> pipelines);

}  // namespace varylink::report
