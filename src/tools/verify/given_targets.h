// Attachments of the formats that the pipeline state names, beside those of 32 bits that every pipeline is drawn to.
#pragma once

#include <optional>

#include "verify/needs.h"

namespace varylink::verify {

// `needs`, with attachments of the formats that `state` names. None if that changes nothing, or if nothing of it can be
// drawn; for each format that the device does not draw to, `needs.not_drawn` gets a line.
std::optional<Needs> with_given_targets(const Gpu& gpu, const state::PipelineState& state, Needs& needs);

}  // namespace varylink::verify
