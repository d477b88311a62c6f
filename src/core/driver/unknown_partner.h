// A stage beside unknown partners: components that go with every partner, and the most that could go.
#pragma once

#include <optional>
#include <vector>

#include "driver/link_pipeline.h"
#include "link/model/pipeline.h"
#include "varyings/reflect/slot.h"

namespace varylink::driver {

struct PartnerBounds {
  varyings::Direction side = varyings::Direction::input;
  link::PipelineInput pipeline;     // the stage, and the partner made for it
  link::LinkedPipeline linked;      // its interface_at() the side lists components that go with every partner
  link::InterfaceSize least;        // left with a partner that reads nothing, or writes constants only
  link::LinkedPipeline with_least;  // of a producer: linked with such a partner; without stages for a consumer
};

// The interface on that side of the stage; nullptr if linking failed.
const link::InterfaceReport* interface_at(const link::LinkedPipeline& linked, Stage stage, varyings::Direction side);

// Links one side of the stage with pass_through_neighbour(), and a producer also with nobody behind it. If linking
// fails, `linked` says why and has no interface. Errors: those of pass_through_neighbour.
Result<PartnerBounds> bounds_with_any_partner(const link::StageInput& stage, varyings::Direction side,
                                              const link::LinkOptions& options);

// Of all sides of the stage. Errors: usage (a stage without varyings), and those of the above.
Result<std::vector<PartnerBounds>> bounds_with_any_partners(const link::StageInput& stage,
                                                            const link::LinkOptions& options);

}  // namespace varylink::driver
