// Which stages may stand side by side in a pipeline.
#pragma once

#include <optional>

#include "base/diagnostic.h"
#include "spirv/ir/stage.h"

namespace varylink::link {

// Whether `next` takes the outputs of `stage`.
bool feeds(Stage stage, Stage next);

struct NamedStage {
  Stage stage = Stage::vertex;
  FileRef file;
};

// Why no pipeline has `next` right behind `stage`: a mesh or task stage beside one of the other kind of pipeline, or a
// tessellation or task stage without its partner. An error of kind interface_mismatch; none if the pair may stand. A
// stage that is missing at an end is not reported: the given stages may be a part of the pipeline.
std::optional<Diagnostic> check_stage_order(const NamedStage& stage, const NamedStage& next);

}  // namespace varylink::link
