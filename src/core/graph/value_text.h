// Values in words, for the pictures of a graph.
#pragma once

#include <string>

#include "graph/value.h"

namespace varylink::graph {

// Name of the value's operation, constant or resource, without operands: "*", "FMix", "0.5", "set 0 binding 1 byte 16".
// Leaves, which only their module can name, give an empty string.
std::string text(const Value& value);

}  // namespace varylink::graph
