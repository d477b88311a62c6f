// Words that the installed SPIRV-Tools refuse although they have no bearing on the question to the validator.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// The words with every OpSource language replaced by Unknown that the oldest supported SPIRV-Tools do not know (Slang
// writes one). They refuse the whole module otherwise, for a number that means nothing to them.
std::vector<std::uint32_t> with_known_languages(std::span<const std::uint32_t> words);

// OpSource languages of the words, in order; and the way back, into a module read from with_known_languages().
std::vector<std::uint32_t> source_languages(std::span<const std::uint32_t> words);
void restore_languages(Module& module, std::span<const std::uint32_t> languages);

}  // namespace varylink::spirv
