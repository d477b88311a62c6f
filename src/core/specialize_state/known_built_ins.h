// Built-in inputs whose value the pipeline's state decides.
#pragma once

#include <cstdint>
#include <optional>

#include "spirv/ir/module.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::specialize_state {

// The only view that a view mask has: 0 without multiview (rule ); none if there are several.
std::optional<std::uint32_t> only_view(std::uint32_t view_mask);

// Makes loads of a built-in scalar integer that the entry point reads this constant. Whether there were any.
bool set_built_in(spirv::Module& module, const varyings::Entry& entry, spv::BuiltIn built_in, std::uint32_t value);

}  // namespace varylink::specialize_state
