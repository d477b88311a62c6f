// Local variables that may be copies of interface variables.
#pragma once

#include <vector>

#include "spirv/ir/module.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

// Whether the type is an array or a structure.
bool is_composite(const spirv::Module& module, spirv::Id type);

// The local arrays and structures of the entry point, without those that have an initializer, in order of declaration.
std::vector<spirv::Id> local_composites(const spirv::Module& module, const Entry& entry);

}  // namespace varylink::varyings
