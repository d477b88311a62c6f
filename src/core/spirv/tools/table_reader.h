// Reads modules by the table of operations: a third of the time that the parser of SPIRV-Tools takes, which also finds
// what is wrong with words.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// The module that read_module() gives, for words that the validator has accepted. None where an instruction has no row
// or one that does not tell how its words are divided (OperandWords).
std::optional<Module> read_by_table(std::span<const std::uint32_t> words);

}  // namespace varylink::spirv
