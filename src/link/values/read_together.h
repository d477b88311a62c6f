// Which inputs the code of an interface reads as one vector: what packing keeps in one location where it can.
#pragma once

#include <cstdint>
#include <vector>

#include "link/model/link.h"

namespace varylink::link {

struct ReadTogether {
  std::vector<varyings::Slot> slots;  // in the order of the vector's components, each once
  std::uint32_t weight = 1;           // what it costs to have them in two locations, against the others'
};

// The vectors of two to four inputs that instructions of the consumers take as they are, in the order in which the code
// comes to them, each once with its largest weight: texture coordinates, which GPUs fetch ahead or want in registers
// side by side, and other operands. Swizzles, composites and changes of sign are seen through.
std::vector<ReadTogether> find_read_together(const Link& link);

}  // namespace varylink::link
