// The next stage reads only the components that it needs of built-ins that stay for the rasterizer and the tessellator,
// constants and duplicates included: while the passes run it reads a proxy (varyings/scalarize/built_in_read_proxies.h,
// rule ).
#pragma once

#include "link/model/link.h"

namespace varylink::driver {

// Before the interface is scalarized: gives the built-ins that one stage writes and the next one reads proxies behind
// the other locations.
void add_built_in_read_proxies(link::Link& link);

// Behind that: tells the passes which varyings these are.
void mark_built_in_read_proxies(link::Link& link);

// Before placement: components of a proxy that are still read are read from the built-in, and the proxies go.
void remove_built_in_read_proxies(link::Link& link);

}  // namespace varylink::driver
