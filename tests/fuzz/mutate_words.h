// Mutations of SPIR-V that keep it a stream of instructions: bytes changed at random hardly ever get past the reader.
#pragma once

#include <cstdint>
#include <vector>

#include "fuzz/random.h"

namespace varylink::fuzz {

// Changes one thing in a module (header included): an operand, an id, the place, presence or number of an instruction.
// Words that are not a module come back with one word changed.
void mutate_words(std::vector<std::uint32_t>& words, Random& random);

}  // namespace varylink::fuzz
