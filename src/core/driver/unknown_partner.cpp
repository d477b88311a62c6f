#include "driver/unknown_partner.h"

#include "driver/pass_through.h"

namespace varylink::driver {
namespace {

// The stage with nobody behind it who reads: no fragment stage, or an evaluation stage without inputs.
Result<link::PipelineInput> with_nobody_behind(const link::StageInput& stage, spirv::TargetEnv env) {
  link::PipelineInput pipeline;
  pipeline.stages = {stage};
  pipeline.state.no_fragment = stage.stage != Stage::tess_control;
  if (pipeline.state.no_fragment) return pipeline;
  Result<link::StageInput> consumer = pass_through_neighbour(stage, varyings::Direction::output, env, false);
  if (!consumer) return consumer.error();
  pipeline.stages.push_back(std::move(*consumer));
  return pipeline;
}

// The partner declares every component by itself, which says nothing about real ones.
void drop_differences_of_shape(link::LinkedPipeline& linked) {
  std::erase_if(linked.diagnostics, [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::warning && diagnostic.vuid == "VUID-RuntimeSpirv-OpVariable-08746";
  });
}

}  // namespace

const link::InterfaceReport* interface_at(const link::LinkedPipeline& linked, Stage stage, varyings::Direction side) {
  for (const link::InterfaceReport& interface : linked.interfaces)
    if ((side == varyings::Direction::input ? interface.consumer : interface.producer) == stage) return &interface;
  return nullptr;
}

Result<PartnerBounds> bounds_with_any_partner(const link::StageInput& stage, varyings::Direction side,
                                              const link::LinkOptions& options) {
  Result<link::StageInput> neighbour = pass_through_neighbour(stage, side, options.validator.env);
  if (!neighbour) return neighbour.error();
  PartnerBounds bounds;
  bounds.side = side;
  bounds.pipeline.name = stage.file;
  bounds.pipeline.stages = {stage, std::move(*neighbour)};
  bounds.linked = driver::link_pipeline(bounds.pipeline, options);
  drop_differences_of_shape(bounds.linked);
  // A consumer can lose everything to a producer of constants, and so can a producer, but for what its code writes
  // anyway.
  if (bounds.linked.failure != ErrorKind::none || side == varyings::Direction::input) return bounds;
  const Result<link::PipelineInput> alone = with_nobody_behind(stage, options.validator.env);
  if (!alone) return alone.error();
  bounds.with_least = driver::link_pipeline(*alone, options);
  const link::InterfaceReport* least = interface_at(bounds.with_least, stage.stage, side);
  if (least == nullptr) least = interface_at(bounds.linked, stage.stage, side);
  if (least != nullptr) bounds.least = least->after;
  return bounds;
}

Result<std::vector<PartnerBounds>> bounds_with_any_partners(const link::StageInput& stage,
                                                            const link::LinkOptions& options) {
  std::vector<PartnerBounds> all;
  for (const varyings::Direction side : sides_of(stage.stage)) {
    Result<PartnerBounds> bounds = bounds_with_any_partner(stage, side, options);
    if (!bounds) return bounds.error();
    all.push_back(std::move(*bounds));
  }
  if (all.empty())
    return make_error(ErrorKind::usage, stage.file,
                      "is a " + std::string(short_name(stage.stage)) + " stage, which has no varyings to analyze");
  return all;
}

}  // namespace varylink::driver
