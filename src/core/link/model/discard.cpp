#include "link/model/discard.h"

#include <algorithm>

namespace varylink::link {

Diagnostics settle_fragment_stage(PipelineInput& pipeline) {
  const bool discards = pipeline.state.rasterizer_discard == true;
  const auto fragment = std::find_if(pipeline.stages.begin(), pipeline.stages.end(),
                                     [](const StageInput& stage) { return stage.stage == Stage::fragment; });
  const bool has_fragment = fragment != pipeline.stages.end(), promised_none = pipeline.state.no_fragment;
  pipeline.state.no_fragment = discards || (promised_none && !has_fragment);
  if (!has_fragment || !(discards || promised_none)) return {};
  const char* const said = discards ? "the stage is left out: with rasterizerDiscardEnable it never runs"
                                    : "noFragment does not count: the pipeline has this stage";
  Diagnostic warning = make_warning(fragment->file, said);
  if (discards) pipeline.stages.erase(fragment);
  return {std::move(warning)};
}

}  // namespace varylink::link
