// Which components of 16 bits may be sent as one of 32 (rules ).
#pragma once

#include <vector>

#include "link/model/link.h"
#include "link/model/pipeline.h"

namespace varylink::passes {

struct Pair {
  std::vector<varyings::Slot> parts;  // low and high; the odd one of several of 16 bits has no other
  varyings::Slot slot;                // of the pair: that of its low part, whose location keeps nothing of 16 bits
  // How the producer makes parts of 32 bits out of 16 (OpFConvert, OpUConvert, OpSConvert); OpNop: they have 16 bits.
  spv::Op conversion = spv::Op::OpNop;
};

// The components of 16 bits, or of 32 bits that were converted from 16, that cross alike, are stored together wherever
// one is stored, and are neither captured nor loaded by the producer: by twos, and the odd one of several of 16 bits
// alone, so that none of them needs a location of 16 bits. By slot.
std::vector<Pair> pairs_of_16_bits(const link::Link& link);

}  // namespace varylink::passes
