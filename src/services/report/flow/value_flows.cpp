#include "report/flow/value_flows.h"

#include <map>

#include "driver/link_group.h"
#include "driver/link_pipeline.h"
#include "report/flow/value_flow_recorder.h"

namespace varylink::report {

std::vector<ValueFlow> value_flows(const link::PipelineInput& pipeline, const link::LinkOptions& options) {
  std::map<Stage, ValueFlowRecorder> recorders;  // by producer, which is pipeline order
  const auto observe = [&](const link::Link& link, bool linked) {
    ValueFlowRecorder& recorder = recorders[link.report.producer];
    if (linked)
      recorder.after(link);
    else
      recorder.before(link);
  };
  const link::LinkedGroup linked = driver::link_group(driver::group_of(pipeline), options, observe);
  std::vector<ValueFlow> flows;
  if (linked.pipelines.front().failure != ErrorKind::none) return flows;
  for (auto& [producer, recorder] : recorders) flows.push_back(recorder.take());
  return flows;
}

}  // namespace varylink::report
