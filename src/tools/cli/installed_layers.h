// Vulkan layers that the loader finds.
#pragma once

#include <string_view>

namespace varylink::cli {

// Whether a manifest names an explicit layer `name`: in VK_LAYER_PATH, else in VK_ADD_LAYER_PATH and in the folders of
// explicit layers, as the loader looks for them on Linux. Whether its library can be loaded is not asked.
bool is_layer_installed(std::string_view name);

}  // namespace varylink::cli
