#include "report/pipeline_record.h"

#include <algorithm>

namespace varylink::report {
namespace {

void add(link::InterfaceSize& sum, const link::InterfaceSize& size) {
  sum.components += size.components;
  sum.locations += size.locations;
  sum.highest_location = std::max(sum.highest_location, size.highest_location);
}

}  // namespace

Totals totals_of(std::span<const PipelineRecord> pipelines) {
  Totals totals;
  totals.pipelines = pipelines.size();
  for (const PipelineRecord& pipeline : pipelines) {
    if (!pipeline.linked()) continue;
    ++totals.linked;
    for (const link::InterfaceReport& interface : pipeline.interfaces) {
      add(totals.before, interface.before);
      add(totals.after, interface.after);
    }
  }
  return totals;
}

std::string_view name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::none: return "none";
    case ErrorKind::usage: return "usage";
    case ErrorKind::io: return "io";
    case ErrorKind::glsl: return "glsl";
    case ErrorKind::invalid_spirv: return "invalid_spirv";
    case ErrorKind::interface_mismatch: return "interface_mismatch";
    case ErrorKind::verification_failed: return "verification_failed";
  }
  return "none";
}

}  // namespace varylink::report
