#include "varyings/reflect/used_components.h"

#include "spirv/ir/globals.h"

namespace varylink::varyings {

using spirv::InstRef;

std::uint32_t used_components(const spirv::Module& module, const spirv::Uses& uses, spirv::Id vector) {
  std::uint32_t mask = 0;
  const std::uint32_t width = spirv::component_count(module, module.type_of(vector));
  const std::uint32_t all = (1u << width) - 1;
  for (const InstRef user : uses.of(vector)) {
    if (width > 1 && module[user].op == spv::Op::OpCompositeExtract) {
      mask |= 1u << module.operand(user, 1).word;
    } else if (module[user].op == spv::Op::OpVectorShuffle) {
      const bool first = module.operand(user, 0).word == vector, second = module.operand(user, 1).word == vector;
      const std::uint32_t first_width = spirv::component_count(module, module.type_of(module.operand(user, 0).word));
      for (std::uint32_t lane = 2; lane < module.operands(user).size(); ++lane) {
        const std::uint32_t source = module.operand(user, lane).word;
        if (source == 0xffffffffu) continue;
        if (source < first_width ? first : second) mask |= 1u << (source < first_width ? source : source - first_width);
      }
    } else {
      return all;
    }
  }
  return mask;
}

}  // namespace varylink::varyings
