// Execution modes of an entry point, and the constants that they go with.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "link/rules/interface_model.h"

namespace varylink::check {

bool has_mode(const link::StageView& stage, spv::ExecutionMode mode);
// First operand of the mode, none if the entry point does not have it.
std::optional<std::uint32_t> mode_value(const link::StageView& stage, spv::ExecutionMode mode);
// All operands of the mode, empty if the entry point does not have it.
std::vector<std::uint32_t> mode_values(const link::StageView& stage, spv::ExecutionMode mode);

// The constant that is decorated with WorkgroupSize, 0 if there is none.
spirv::Id work_group_constant(const spirv::Module& module);
// The low word of an integer constant; that of the default for a specialization constant, none if it is computed.
std::optional<std::uint32_t> default_value(const spirv::Module& module, spirv::Id constant);

}  // namespace varylink::check
