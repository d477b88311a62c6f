// Inputs that the code of an interface reads as one vector: packing keeps them in one location where it can.
#pragma once

#include <vector>

#include "link/model/link.h"
#include "passes/packing/placement.h"

namespace varylink::passes {

// The vectors of two to four inputs that instructions of the consumers take as they are, in the order in which the code
// comes to them, each once with its largest weight: texture coordinates, which GPUs fetch ahead or want in registers
// side by side, and other operands. Swizzles, composites and changes of sign are seen through.
std::vector<PlacementVector> read_vectors(const link::Link& link);

}  // namespace varylink::passes
