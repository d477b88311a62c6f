#include "analysis/output_store.h"

#include <algorithm>

#include "spirv/ir/globals.h"
#include "spirv/ir/pointer_path.h"
#include "spirv/ir/pointer_uses.h"

namespace varylink::analysis {

bool writes_beside_outputs(const spirv::Module& module, spirv::InstRef inst) {
  const std::vector<spirv::Id> written = spirv::pointers_written(module, inst);
  return std::any_of(written.begin(), written.end(), [&](spirv::Id pointer) {
    return !spirv::is_variable_in(module, spirv::root_of(module, pointer), spv::StorageClass::Output);
  });
}

}  // namespace varylink::analysis
