// How deep functions call each other, before anything is known of a module but that it is a stream of instructions.
#pragma once

#include <cstdint>
#include <span>

namespace varylink::spirv {

// The functions of the module times those in the longest chain of calls: the validator asks of every function whom it
// calls, directly or not, so that its work grows at least with that. A call of a function that is called already ends a
// chain. `words`: any words in host byte order.
std::uint64_t call_work(std::span<const std::uint32_t> words);

}  // namespace varylink::spirv
