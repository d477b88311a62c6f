// The layout of small values in 32-bit words, without modules.
#pragma once

#include <cstdint>
#include <vector>

#include "varyings/reflect/slot.h"

namespace varylink::passes {

// A value of few bits, and where it is in its word: `bits` bits from bit `offset` on.
struct BitField {
  varyings::Slot slot;
  std::uint32_t bits = 1;    // 1 to 31
  std::uint32_t offset = 0;  // 0 is the least significant bit
};

using BitWord = std::vector<BitField>;

// The fields in as few words as first-fit decreasing finds: wide fields first, each into the first word that has room.
// Fields of one word stand one behind the other from bit 0 on, in the order of their slots. Words in the order of their
// first slots. No two words could be one.
std::vector<BitWord> lay_out(std::vector<BitField> fields);

}  // namespace varylink::passes
