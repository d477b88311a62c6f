#include "verify/mesh_array_gaps.h"

#include <algorithm>

#include "spirv/ir/globals.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::verify {
namespace {

using varyings::InterfaceVariable;
using varyings::Leaf;
using varyings::PointerAccess;

// Whether a store may reach the leaf: an index that is not constant may be that of any element.
bool may_store(const spirv::Module& module, const PointerAccess& access, const Leaf& leaf) {
  if (access.kind != PointerAccess::Kind::store) return false;
  // The first index is that of the vertex or primitive.
  const std::size_t known = access.indices.empty() ? 0 : std::min(access.indices.size() - 1, leaf.path.size());
  for (std::size_t level = 0; level < known; ++level) {
    const std::optional<std::int64_t> index = spirv::constant_int(module, access.indices[level + 1]);
    if (index && *index != leaf.path[level]) return false;
  }
  return true;
}

bool has_gaps(const Shader& shader, const spirv::Uses& uses, const InterfaceVariable& output) {
  if (output.leaves.size() < 2) return false;
  const varyings::VariableAccesses accesses = varyings::accesses_of(shader.module, uses, output.id);
  if (accesses.obstacle) return false;
  const auto stored = std::count_if(output.leaves.begin(), output.leaves.end(), [&](const Leaf& leaf) {
    return std::any_of(accesses.accesses.begin(), accesses.accesses.end(),
                       [&](const PointerAccess& access) { return may_store(shader.module, access, leaf); });
  });
  return stored != 0 && stored != static_cast<std::ptrdiff_t>(output.leaves.size());
}

}  // namespace

bool has_mesh_array_gaps(const Shader& shader) {
  if (shader.stage != Stage::mesh) return false;
  const spirv::Uses uses(shader.module);
  return std::any_of(shader.outputs.begin(), shader.outputs.end(),
                     [&](const InterfaceVariable& output) { return has_gaps(shader, uses, output); });
}

}  // namespace varylink::verify
