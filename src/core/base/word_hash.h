// Hash of a sequence of words, for tables in memory. Keys of files are made by sha256.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace varylink {

class WordHash {
 public:
  void add(std::uint32_t word) { hash_ = (hash_ ^ word) * 0x100000001b3u; }
  void add(std::span<const std::uint32_t> words) {
    for (const std::uint32_t word : words) add(word);
  }
  std::size_t value() const { return static_cast<std::size_t>(hash_ ^ (hash_ >> 32)); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;  // FNV-1a
};

}  // namespace varylink
