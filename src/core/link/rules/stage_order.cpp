#include "link/rules/stage_order.h"

#include <string>

namespace varylink::link {
namespace {

bool is_of_mesh_pipeline(Stage stage) { return stage == Stage::mesh || stage == Stage::task; }

Diagnostic refused(const NamedStage& about, Message message, std::string vuid) {
  return make_error(ErrorKind::interface_mismatch, about.file, std::move(message), std::move(vuid));
}

}  // namespace

bool feeds(Stage stage, Stage next) {
  switch (stage) {
    case Stage::vertex: return next == Stage::tess_control || next == Stage::geometry || next == Stage::fragment;
    case Stage::tess_control: return next == Stage::tess_eval;
    case Stage::tess_eval: return next == Stage::geometry || next == Stage::fragment;
    case Stage::geometry: return next == Stage::fragment;
    case Stage::task: return next == Stage::mesh;
    case Stage::mesh: return next == Stage::fragment;
    case Stage::fragment: return false;
  }
  return false;
}

std::optional<Diagnostic> check_stage_order(const NamedStage& stage, const NamedStage& next) {
  if (feeds(stage.stage, next.stage)) return std::nullopt;
  if (is_of_mesh_pipeline(next.stage))
    return refused(next, "stands in one pipeline with " + stage.file + ", a stage of the other kind of pipeline",
                   "VUID-VkGraphicsPipelineCreateInfo-pStages-02095");
  if (stage.stage == Stage::tess_control)
    return refused(stage, "there is no tessellation evaluation stage",
                   "VUID-VkGraphicsPipelineCreateInfo-pStages-00729");
  if (next.stage == Stage::tess_eval)
    return refused(next, "there is no tessellation control stage", "VUID-VkGraphicsPipelineCreateInfo-pStages-00730");
  return refused(stage, "there is no mesh stage", "VUID-VkGraphicsPipelineCreateInfo-stage-02096");
}

}  // namespace varylink::link
