// A stage beside unknown partners: components that go with every partner, and the most that could go.
#pragma once

#include <optional>

#include "driver/link_pipeline.h"
#include "link/model/pipeline.h"

namespace varylink::inspect {

struct PartnerBounds {
  link::PipelineInput pipeline;     // the stage, and the partner made for it
  link::LinkedPipeline linked;      // its last interface lists components that go with every partner
  link::InterfaceSize least;        // left with a partner that reads nothing, or writes constants only
  link::LinkedPipeline with_least;  // of a producer: linked with such a partner; without stages for a consumer
};

// Links the stage with pass_through_neighbour(), and a producer also with nobody behind it. If linking fails, `linked`
// says why and has no interface. Errors: those of pass_through_neighbour.
Result<PartnerBounds> bounds_with_any_partner(const link::StageInput& stage, const link::LinkOptions& options);

}  // namespace varylink::inspect
