// What the layer is told to do: docs/layer.md lists the settings.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace varylink::layer {

constexpr const char* kLayerName = "VK_LAYER_VARYLINK_link";

enum class Mode {
  off,     // pipelines are counted
  record,  // and kept in `folder`, as a manifest with modules
  use,     // what linking that manifest gave is taken from `folder`
  link,    // linked when they are created
};

struct Settings {
  Mode mode = Mode::link;
  std::string folder;
  int level = 1;                    // -O1
  bool assume_single_pass = false;  // no other pipeline draws the same triangles: positions may be computed otherwise
  bool hide_libraries = false;      // the program does not see what keeps its pipelines from being whole
  std::string cache;                // folder of the results of `link`; empty: none are kept
  std::optional<std::uint64_t> budget;  // steps that linking a pipeline may take
  bool details = false;                 // the journal has the fate of each component
  std::string journal;                  // file that gets a line per pipeline; empty: none
  std::vector<std::string> problems;    // settings that mean nothing, each in a sentence
};

// From the environment (VK_VARYLINK_LINK_MODE), else from the program (VkLayerSettingsCreateInfoEXT in the chain of
// vkCreateInstance), else from vk_layer_settings.txt.
Settings read_settings(const void* instance_chain);

}  // namespace varylink::layer
