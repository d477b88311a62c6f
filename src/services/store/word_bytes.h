// Words of modules in entries of the cache: lowest byte first on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace varylink::store {

std::vector<std::uint8_t> bytes_from_words(std::span<const std::uint32_t> words);
// Bytes behind the last whole word are left out.
std::vector<std::uint32_t> words_from_bytes(std::span<const std::uint8_t> bytes);

}  // namespace varylink::store
