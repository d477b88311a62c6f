// The extensions of SPIR-V whose instructions and enumerants SPIRV-Tools v2023.1, the oldest supported release, knows.
// SPIRV-Tools have the same list and no function that tells it.
#pragma once

#include <string_view>

namespace varylink::spirv {

// `name` as OpExtension has it.
bool is_known_extension(std::string_view name);

}  // namespace varylink::spirv
