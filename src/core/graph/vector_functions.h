// Functions of vectors as the scalar operations that define them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "graph/value_reader.h"
#include "spirv/ir/operations.h"

namespace varylink::graph {

// How one instruction's scalars are written. `glsl` counts if the opcode is OpExtInst; kNoRef among operands gives
// kNoRef.
struct ScalarCode {
  varyings::ScalarType type;  // of the components of the operands
  std::function<Ref(spv::Op, std::uint32_t glsl, varyings::ScalarType, std::vector<Ref>)> operation;
  std::function<Ref(varyings::ScalarType, std::vector<std::uint32_t>)> constant;
};

// The components of the result of OpAny, OpAll, and of the functions of GLSL.std.450 that take the length, the product
// or the direction of vectors. Vulkan derives their precision from these very operations (Vulkan, "Precision of
// GLSL.std.450 Instructions"). None for other operations.
std::optional<std::vector<Ref>> vector_function(const spirv::OperationRow& row,
                                                const std::vector<std::vector<Ref>>& operands, const ScalarCode& code);

}  // namespace varylink::graph
