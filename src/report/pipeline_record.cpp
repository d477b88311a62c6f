#include "report/pipeline_record.h"

#include <algorithm>

namespace varylink::report {
namespace {

void add_size(link::InterfaceSize& sum, const link::InterfaceSize& size) {
  sum.components += size.components;
  sum.locations += size.locations;
  sum.highest_location = std::max(sum.highest_location, size.highest_location);
}

}  // namespace

link::InterfaceSize size_after(const std::vector<link::InterfaceReport>& interfaces) {
  link::InterfaceSize sum;
  for (const link::InterfaceReport& interface : interfaces) add_size(sum, interface.after);
  return sum;
}

void Totals::add(const PipelineRecord& pipeline) {
  ++pipelines;
  if (!pipeline.linked()) {
    failed.emplace_back(pipeline.name, pipeline.failure);
    return;
  }
  ++linked;
  for (const link::InterfaceReport& interface : pipeline.interfaces) {
    add_size(before, interface.before);
    add_size(after, interface.after);
  }
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
    case ErrorKind::interrupted: return "interrupted";
  }
  return "none";
}

}  // namespace varylink::report
