#include "spirv/ir/pointer_path.h"

#include <algorithm>

#include "spirv/ir/globals.h"

namespace varylink::spirv {

AccessPath access_path(const Module& module, Id pointer) {
  AccessPath path;
  InstRef def = module.def(pointer);
  for (; def && is_pointer_path(module[def].op); def = module.def(pointer)) {
    const auto operands = module.operands(def);
    for (std::size_t i = operands.size(); i-- > 1;) path.indices.push_back(operands[i].word);
    pointer = operands[0].word;
  }
  std::reverse(path.indices.begin(), path.indices.end());
  path.root = pointer;
  return path;
}

std::optional<std::vector<std::uint32_t>> constant_indices(const Module& module, std::span<const Id> indices) {
  std::vector<std::uint32_t> numbers;
  for (const Id index : indices) {
    const std::optional<std::uint32_t> number = constant_index(module, index);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

bool has_part(const Module& module, Id type, std::span<const std::uint32_t> path) {
  for (const std::uint32_t index : path) {
    if (index >= element_count(module, type)) return false;
    type = element_type(module, type, index);
  }
  return true;
}

}  // namespace varylink::spirv
