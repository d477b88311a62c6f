// What chains of Vulkan structures say beside the members of a create info.
#pragma once

#include "formats/understanding.h"

namespace varylink::layer {

struct Understanding : formats::Understanding {
  // The structures of a chain, without those that the layer reads itself: code, and parts of libraries.
  void add_chain(const void* chain);
};

}  // namespace varylink::layer
