#include "link/model/discard.h"

#include <algorithm>

namespace varylink::link {

Diagnostics leave_out_discarded(PipelineInput& pipeline) {
  if (pipeline.state.rasterizer_discard != true) return {};
  pipeline.state.no_fragment = true;
  const auto fragment = std::find_if(pipeline.stages.begin(), pipeline.stages.end(),
                                     [](const StageInput& stage) { return stage.stage == Stage::fragment; });
  if (fragment == pipeline.stages.end()) return {};
  Diagnostic warning =
      make_warning(fragment->file, "the stage is left out: with rasterizerDiscardEnable it never runs");
  pipeline.stages.erase(fragment);
  return {std::move(warning)};
}

}  // namespace varylink::link
