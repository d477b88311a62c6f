// The words in front of a module's instructions (SPIR-V specification, section 2.3).
#pragma once

#include <cstddef>
#include <cstdint>

namespace varylink::spirv {

// The first word, in the byte order of the module.
inline constexpr std::uint32_t kMagic = 0x07230203u;

// Magic number, version, generator, bound and schema. The first instruction follows them.
inline constexpr std::size_t kHeaderWords = 5;

}  // namespace varylink::spirv
