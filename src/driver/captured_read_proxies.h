// The consumer reads only the components of a captured output that it needs, constants and duplicates included: while
// the passes run it reads a proxy (varyings/scalarize/captured_read_proxies.h, rule ).
#pragma once

#include "link/model/link.h"
#include "link/model/pipeline.h"

namespace varylink::driver {

// First of all: captured blocks, structures, arrays and matrices become variables that can have proxies.
void split_captured_outputs(link::Link& link);

// Before the interface is scalarized: gives captured outputs that the consumer reads proxies behind the other
// locations.
void add_captured_read_proxies(link::Link& link);

// Behind that: tells the passes which varyings these are.
void mark_captured_read_proxies(link::Link& link);

// Before placement: components of a proxy that are still read are read from the captured output, and the proxies go.
// Outputs that the consumer does not read as a whole are divided where that saves locations in one of both stages.
void remove_captured_read_proxies(link::Link& link, const link::LinkOptions& options);

}  // namespace varylink::driver
