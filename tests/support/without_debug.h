// What a module says apart from debug information.
#pragma once

#include <cstdint>
#include <vector>

namespace varylink::test {

// The words of the module without names, source text, lines and debug instructions, and without the constants, types
// and declarations of instruction sets and widths of numbers that only these used. Ids are numbered, and types,
// constants and global variables stand, in the order in which the code comes to them, and decorations are sorted: two
// modules that say the same in other numbers give the same words. No module for others to read. Empty if `words` cannot
// be read.
std::vector<std::uint32_t> without_debug(const std::vector<std::uint32_t>& words);

}  // namespace varylink::test
