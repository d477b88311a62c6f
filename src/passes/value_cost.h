// What a value of the graph costs to compute.
#pragma once

#include "graph/value.h"

namespace varylink::passes {

// Cost of the last operation of the value alone, in basic operations of the default cost profile.
double cost_of(const graph::Value& value);

}  // namespace varylink::passes
