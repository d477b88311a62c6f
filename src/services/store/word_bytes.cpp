#include "store/word_bytes.h"

#include <cstddef>

namespace varylink::store {

std::vector<std::uint8_t> bytes_from_words(std::span<const std::uint32_t> words) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(words.size_bytes());
  for (const std::uint32_t word : words)
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(word >> shift));
  return bytes;
}

std::vector<std::uint32_t> words_from_bytes(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
  for (std::size_t i = 0; i < words.size() * sizeof(std::uint32_t); ++i)
    words[i / sizeof(std::uint32_t)] |= std::uint32_t{bytes[i]} << (8 * (i % sizeof(std::uint32_t)));
  return words;
}

}  // namespace varylink::store
