// Whether a value is valid SPIR-V on scalars of the types that its operands have.
#pragma once

#include "graph/value.h"

namespace varylink::graph {

// The number of operands, their kinds and widths, and the type of the result are those that the instruction takes
// (rule ).
bool is_well_typed(const ValueGraph& graph, const Value& operation);

}  // namespace varylink::graph
