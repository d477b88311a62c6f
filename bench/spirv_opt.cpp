#include "spirv_opt.h"

#include <spirv-tools/optimizer.hpp>

namespace varylink::bench {

std::vector<std::uint32_t> spirv_opt(const std::vector<std::uint32_t>& words) {
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_3);
  optimizer.RegisterPerformancePasses();
  std::vector<std::uint32_t> optimized;
  if (!optimizer.Run(words.data(), words.size(), &optimized)) optimized.clear();
  return optimized;
}

}  // namespace varylink::bench
