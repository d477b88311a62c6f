// Which values an index can have, as far as the code that computes it tells.
#pragma once

#include <cstdint>
#include <vector>

#include "io/interface_variable.h"
#include "spirv/module.h"

namespace varylink::io {

// The elements of an array with `count` elements that `index` (a 32-bit integer; any other type counts as unknown) may
// select, in order; all of them if nothing is known. An index outside of the array is undefined behaviour and left out.
// Looks through masks, remainders, min, max, clamp, sums, choices, counters and the number of the invocation.
std::vector<std::uint32_t> index_values(const spirv::Module& module, const Entry& entry, spirv::Id index,
                                        std::uint32_t count);

}  // namespace varylink::io
