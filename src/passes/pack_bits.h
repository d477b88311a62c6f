// Small values that are not interpolated share one 32-bit component:
//
//   flat out uint kind = id & 7u, lit = on ? 1u : 0u;   ->   flat out uint bits = (id & 7u) | (on ? 8u : 0u);
//
// Small is an integer whose range the producer's code proves (graph/value_range.h), a value that is one of two
// constants, as booleans are that cross as numbers, and a 16-bit value where both stages can compute with such. Nobody
// needs a new capability. A word has full precision, so that values of relaxed precision stay as they are. Every word
// saves components, and costs the consumer no more than these are worth (graph/value_cost.h).
//
// Runs in the last phase, when no other pass changes anything any more, since nobody sees the values in a word any
// more; what it leaves may be moved on.
#pragma once

#include "passes/pass.h"

namespace varylink::passes {

Result<Progress> pack_bits(link::Link& link, PassContext& context);

}  // namespace varylink::passes
