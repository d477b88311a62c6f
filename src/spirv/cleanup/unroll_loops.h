// Loops whose number of rounds is known, written out round after round.
#pragma once

#include <cstdint>
#include <span>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Writes out the loops with these headers (labels), those inside of others first. Loops that counted_loop()
// (spirv/cleanup/counted_loops.h) does not find with `max_rounds` stay loops. The last round keeps the ids, so that
// code behind the loop finds its values; the others get new ones, with the decorations (rule ). Counters become
// their value in each round: computed, but not folded.
void unroll_loops(Module& module, std::uint32_t function, std::span<const Id> headers, std::uint32_t max_rounds);

}  // namespace varylink::spirv
