#include "driver/group_records.h"

#include <algorithm>

namespace varylink::driver {
namespace {

void drop(PipelineRecord& pipeline) {
  pipeline.modules.clear();
  pipeline.result.stages.clear();
  pipeline.result.interfaces.clear();
}

}  // namespace

void PipelineRecord::reject(Diagnostic error) {
  result.failure = error.kind;
  result.diagnostics.push_back(std::move(error));
  drop(*this);
}

void PipelineRecord::add_findings(Diagnostics findings) {
  for (Diagnostic& found : findings) {
    if (found.severity == Severity::error) result.failure = found.kind;
    result.diagnostics.push_back(std::move(found));
  }
  if (result.failure != ErrorKind::none) drop(*this);
}

void PipelineRecord::remark(Stage stage, const std::string& message) {
  result.remarks.push_back({"link", std::string(short_name(stage)), message});
}

bool InterfaceRecord::is_changed() const {
  if (link.unrecorded_change) return true;
  // A stage may lose what others keep.
  if (link.is_shared() && declared_slots(link) != declared_before) return true;
  return std::any_of(link.report.components.begin(), link.report.components.end(),
                     [](const link::ComponentRecord& record) {
                       return record.outcome != link::Outcome::kept || record.new_slot != record.old_slot;
                     });
}

}  // namespace varylink::driver
