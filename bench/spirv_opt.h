// What `spirv-opt -O` does, in process: the yardstick for the time that linking takes.
#pragma once

#include <cstdint>
#include <vector>

namespace varylink::bench {

// Runs the performance passes of SPIRV-Tools on one module, which is validated first as the command does.
// Empty if SPIRV-Tools refuses the module.
std::vector<std::uint32_t> spirv_opt(const std::vector<std::uint32_t>& words);

}  // namespace varylink::bench
