#include "report/report_entry.h"

#include <algorithm>

#include "report/larger_result.h"

namespace varylink::report {
namespace {

void add_size(link::InterfaceSize& sum, const link::InterfaceSize& size) {
  sum.components += size.components;
  sum.locations += size.locations;
  sum.highest_location = std::max(sum.highest_location, size.highest_location);
  sum.not_counted += size.not_counted;
}

}  // namespace

void StageRecord::compare(const link::StageInput& before, const link::StageInput& after,
                          const std::vector<link::InterfaceReport>& interfaces) {
  kept = report::kept_instructions(before, after);
  larger_because = report::reason_to_be_larger(before.words, after.words, stage, interfaces);
}

link::InterfaceSize size_after(const std::vector<link::InterfaceReport>& interfaces) {
  link::InterfaceSize sum;
  for (const link::InterfaceReport& interface : interfaces) add_size(sum, interface.after);
  return sum;
}

std::optional<PipelineWork> work_of(const ReportEntry& pipeline) {
  PipelineWork work;
  for (const StageRecord& stage : pipeline.stages) {
    if (!stage.cost_before || !stage.cost_after) return std::nullopt;
    const double runs = stage.stage == Stage::fragment ? pipeline.fragments_per_vertex : 1;
    work.before += runs * stage.cost_before->work;
    work.after += runs * stage.cost_after->work;
  }
  return pipeline.stages.empty() ? std::nullopt : std::optional(work);
}

void Totals::add(const ReportEntry& pipeline) {
  ++pipelines;
  if (!pipeline.linked()) {
    failed.emplace_back(pipeline.name, pipeline.failure);
    return;
  }
  ++linked;
  if (!pipeline.unchecked.empty()) unchecked.push_back(pipeline.name + " (" + pipeline.unchecked + ")");
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
