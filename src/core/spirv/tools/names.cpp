#include "spirv/tools/names.h"

#include <spirv-tools/libspirv.h>

#include "spirv/ir/operations.h"

namespace varylink::spirv {
std::string name_of(spv::Op op) { return spvOpcodeString(static_cast<std::uint32_t>(op)); }

std::string glsl_name(std::uint32_t number) {
  const std::string_view name = glsl_row(number).name;
  return name.empty() ? "GLSL " + std::to_string(number) : std::string(name);
}

}  // namespace varylink::spirv
