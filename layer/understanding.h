// What chains of Vulkan structures say beside the members of a create info.
#pragma once

#include <cstdint>
#include <string>

#include "formats/chained_structures.h"

namespace varylink::layer {

struct Understanding {
  formats::Assumptions taken_away;  // of what is assumed otherwise
  std::string why_not;              // why the pipeline is not linked for it; empty if it may be

  void add(const Understanding& other);
  // The structures of a chain, without those that the layer reads itself: code, and parts of libraries.
  void add_chain(const void* chain);
};

}  // namespace varylink::layer
