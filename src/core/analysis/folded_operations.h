// Operations that no compiler keeps, such as products with the parts of a position that are 0 and 1. SPIR-V keeps them,
// since 0 times infinity is no number; where an operation need not be exact, drivers do not (nir_opt_algebraic of
// Mesa).
// spirv/cleanup/clean_ups.h rewrites whole instructions so, in stages that code moves into; here nothing is
// rewritten, so that originals and results get the same cost.
#pragma once

#include <optional>

#include "analysis/component_nodes.h"
#include "analysis/operation_graph.h"
#include "spirv/ir/module.h"

namespace varylink::analysis {

// The component that a product of two components is, if one of them is 0 or 1; none if there is something to compute.
std::optional<NodeId> folded_product(NodeId a, NodeId b);

// The same for a sum, or a difference but for its sign, of which one side is 0.
std::optional<NodeId> folded_sum(NodeId a, NodeId b);

// The same for component `index` of the result of a 32-bit instruction that works component by component and need not
// be exact. A clamp from 0 to 1 is a modifier of the operation whose result it clamps.
std::optional<NodeId> folded_operation(const OperationGraph& graph, const ComponentNodes& values,
                                       const spirv::Module& module, spirv::InstRef inst, std::uint32_t index);

}  // namespace varylink::analysis
