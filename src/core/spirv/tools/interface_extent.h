// How much room interfaces take, before anything is known of a module but that it is a stream of instructions.
#pragma once

#include <cstdint>
#include <span>

namespace varylink::spirv {

// Scalars and vectors that the largest input or output of the module consists of; arrays that are sized by anything
// but a plain constant count as one element. Saturates at 2^32. `words`: any words in host byte order.
std::uint64_t largest_interface_variable(std::span<const std::uint32_t> words);

}  // namespace varylink::spirv
