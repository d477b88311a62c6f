// Execution modes of an entry point.
#pragma once

#include <cstdint>
#include <optional>

#include "link/conformance/interface_model.h"

namespace varylink::check {

bool has_mode(const link::StageView& stage, spv::ExecutionMode mode);
// First operand of the mode, none if the entry point does not have it.
std::optional<std::uint32_t> mode_value(const link::StageView& stage, spv::ExecutionMode mode);

}  // namespace varylink::check
