#include "inspect/unknown_partner.h"

#include "inspect/pass_through.h"

namespace varylink::inspect {

Result<PartnerBounds> bounds_with_any_partner(const link::StageInput& stage, const link::LinkOptions& options) {
  Result<link::StageInput> neighbour = pass_through_neighbour(stage, options.validator.env);
  if (!neighbour) return neighbour.error();
  PartnerBounds bounds;
  bounds.pipeline.name = stage.file;
  bounds.pipeline.stages = {stage, std::move(*neighbour)};
  bounds.linked = driver::link_pipeline(bounds.pipeline, options);
  // A consumer can lose everything to a producer of constants, and so can a producer, but for what its code writes
  // anyway.
  if (bounds.linked.failure != ErrorKind::none || stage.stage == Stage::fragment) return bounds;
  link::PipelineInput alone;
  alone.stages = {stage};
  alone.state.no_fragment = true;
  bounds.with_least = driver::link_pipeline(alone, options);
  if (bounds.with_least.failure == ErrorKind::none && !bounds.with_least.interfaces.empty())
    bounds.least = bounds.with_least.interfaces.back().after;
  else if (!bounds.linked.interfaces.empty())
    bounds.least = bounds.linked.interfaces.back().after;
  return bounds;
}

}  // namespace varylink::inspect
