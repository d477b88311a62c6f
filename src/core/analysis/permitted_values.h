// Which values may have been computed otherwise than their operations say: with less precision, or with anything where
// they wrap around.
#pragma once

#include <vector>

#include "spirv/ir/module.h"
#include "spirv/ir/value_decorations.h"

namespace varylink::analysis {

// By id: the permissions of the operations behind it, direct or through others. Memory is not followed: a load gives
// the stored value, and permissions of the load do not count.
std::vector<spirv::Permissions> permissions_behind(const spirv::Module& module, const spirv::Function& function);

}  // namespace varylink::analysis
