// Where in a value, counted in components, something lies: the numbers of a type in the order of its declaration.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "spirv/ir/module.h"

namespace varylink::analysis {

// A part of a value.
struct ComponentRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// The part of a value of `type` that literal indices lead to, as in OpCompositeExtract. None if they lead nowhere.
std::optional<ComponentRange> component_range(const spirv::Module& module, spirv::Id type,
                                              std::span<const std::uint32_t> indices);

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
