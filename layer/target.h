// What a device takes, as its modules have to be validated.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>

#include "varylink/varylink.h"

namespace varylink::layer {

struct Target {
  varylink_target_env env = VARYLINK_TARGET_ENV_VULKAN_1_0;
  std::uint32_t layout_flags = 0;  // VARYLINK_LAYOUT_*
};

// `api_version`: the lower of those of instance and device.
Target target_of(std::uint32_t api_version, const VkDeviceCreateInfo& device);

}  // namespace varylink::layer
