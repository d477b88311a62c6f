// All accesses to one interface variable: loads, stores and interpolation calls, each with the indices from the
// variable to the accessed part. Nested access chains and pointer copies are looked through.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spirv/ir/module.h"
#include "spirv/ir/uses.h"

namespace varylink::varyings {

struct PointerAccess {
  enum class Kind { load, store, interpolate };
  Kind kind = Kind::load;
  spirv::InstRef inst;             // OpLoad, OpStore, or the OpExtInst of an InterpolateAt* call
  std::vector<spirv::Id> indices;  // index ids from the variable down, per-vertex index first if it is arrayed
};

// Whether a load or store has memory operands, such as Volatile or Aligned.
bool has_memory_operands(const spirv::Module& module, const PointerAccess& access);
// Whether it is a load or store without memory operands.
bool is_plain_access(const spirv::Module& module, const PointerAccess& access);

struct VariableAccesses {
  std::vector<PointerAccess> accesses;
  std::vector<spirv::InstRef> chains;   // access chains and pointer copies on the way, in order of discovery
  std::optional<std::string> obstacle;  // why the variable cannot be scalarized: an unsupported use
};

// All accesses to `variable`. Copies between memory (OpCopyMemory) count as an obstacle: split_memory_copies() first.
// So does the initializer of an output, a store that no instruction makes (rule ): lower_initializers() first, and
// what keeps its initializer behind that has an obstacle everywhere.
VariableAccesses accesses_of(const spirv::Module& module, const spirv::Uses& uses, spirv::Id variable);

// Whether something other than a store stands between the two instructions, in the block of `one`, or an unsupported
// use anywhere. `places`: spirv::places_of().
bool is_read_between(const VariableAccesses& accesses, const std::vector<spirv::Place>& places, spirv::InstRef one,
                     spirv::InstRef other);

// Replaces every OpCopyMemory without memory operands that touches one of `variables` by a load and a store, its
// meaning by SPIR-V. Copies with memory operands (volatile ones) stay.
void split_memory_copies(spirv::Module& module, const std::vector<spirv::Id>& variables);

}  // namespace varylink::varyings
