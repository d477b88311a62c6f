// Values of specialization constants as programs hold them, in bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// The bytes of a VkSpecializationMapEntry (little endian) as a text for specialize(), for the constant that has the id
// in a valid module. None if there is no such constant, if it has another size, or if no text says the value (an
// infinity).
std::optional<std::string> specialization_text(const Module& module, std::uint32_t id, std::string_view bytes);

}  // namespace varylink::spirv
