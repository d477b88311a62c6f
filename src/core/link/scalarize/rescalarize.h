// Scalarizes variables that had to stay unsplit at first.
#pragma once

#include "link/model/link.h"
#include "link/model/pipeline.h"

namespace varylink::link {

// A dynamic index keeps an array unsplit on both sides of an interface. Once passes have removed the code with that
// index, the array can be split, and linking the result again would find more to remove. Scalarizes such variables of
// an interface between one producer and one consumer. Returns whether there was one; both stages are cleaned up then,
// and the passes have something new to look at. Variables that `options` keep whole stay unsplit.
bool rescalarize(link::Link& link, const link::LinkOptions& options);

}  // namespace varylink::link
