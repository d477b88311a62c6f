// The second step of linking a group: its stages are prepared, scalarized, optimized and vectorized.
#pragma once

#include <functional>

#include "driver/group_records.h"

namespace varylink::driver {

// May be empty; see link_group.
using InterfaceObserver = std::function<void(const link::Link& link, bool linked)>;

// Links all interfaces of an admitted group, in the modules of its records. Returns false if a pass failed; all
// pipelines are rejected then.
bool link_interfaces(GroupRecords& group, const InterfaceObserver& observe);

// Declares the varyings of both sides where placement put them (Link::placement, Link::packed), as vectors again. The
// stages are no longer scalarized then. Nothing if the varyings were not placed.
void vectorize(link::Link& link);

}  // namespace varylink::driver
