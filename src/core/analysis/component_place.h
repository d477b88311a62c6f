// Where in a variable, counted in scalars (spirv/ir/scalar_view.h), a pointer leads.
#pragma once

#include <vector>

#include "spirv/ir/module.h"

namespace varylink::analysis {

// The pointee of a pointer, as far as it is known without running the code.
struct PointerPlace {
  spirv::Id variable = 0;                  // 0: not a variable of the module
  std::vector<spirv::Id> dynamic_indices;  // ids of the indices that are not constants
  std::uint32_t first_component = 0;       // within the variable, if there are no dynamic indices
  spv::StorageClass storage = spv::StorageClass::Function;
  spirv::Id block = 0;       // the structure that its first index selects a member of, 0 if there is none
  std::uint32_t member = 0;  // that member
};

PointerPlace pointer_place(const spirv::Module& module, spirv::Id pointer);

}  // namespace varylink::analysis
