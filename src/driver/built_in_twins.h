// The next stage reads only the components that it needs of built-ins that stay for the rasterizer and the tessellator,
// constants and duplicates included: while the passes run it reads a twin (varyings/scalarize/built_in_twins.h, rule
//
#pragma once

#include "link/model/link.h"

namespace varylink::driver {

// Before the interface is scalarized: gives the built-ins that one stage writes and the next one reads twins behind the
// other locations.
void add_built_in_twins(link::Link& link);

// Behind that: tells the passes which varyings these are.
void mark_built_in_twins(link::Link& link);

// Before placement: components of a twin that are still read are read from the built-in, and the twins go.
void settle_built_in_twins(link::Link& link);

}  // namespace varylink::driver
