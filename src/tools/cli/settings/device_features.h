// Features of a device that decide which modules are valid, read from a file that names all features.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace varylink::cli {

// As the options of `spirv-val` of the same names have it, and --target-env.
struct DeviceFeatures {
  bool scalar_block_layout = false;
  bool uniform_buffer_standard_layout = false;
  bool relax_block_layout = false;
  bool allow_localsizeid = false;
  std::string target_env;  // "vulkan1.1"; empty if the file does not say which Vulkan it is, or a newer one than 1.3
};

// A Vulkan profile, which is also what `vulkaninfo --json` writes: {"capabilities": {"device": {"extensions": {...},
// "features": {"VkPhysicalDeviceVulkan12Features": {"scalarBlockLayout": true, ...}, ...}, ...}}, "profiles": {...}}. A
// feature is on if some capability has it and none says that it is off. Error (usage): text that is no such object.
Result<DeviceFeatures> parse_device_features(std::string_view json, const std::string& file);

}  // namespace varylink::cli
