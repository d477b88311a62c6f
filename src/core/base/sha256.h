// SHA-256 (FIPS 180-4), for names that stand for contents: cache keys and results that are stored once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace varylink {

class Sha256 {
 public:
  void add(std::span<const std::uint8_t> bytes);
  void add(std::string_view text);
  // SPIR-V words; the digest is the same on machines of either byte order.
  void add(std::span<const std::uint32_t> words);
  // The number as eight bytes, lowest first.
  void add(std::uint64_t number);

  // 64 lower-case hexadecimal digits. Nothing may be added afterwards.
  std::string hex();

 private:
  void add_block(const std::uint8_t* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> pending_ = {};
  std::size_t pending_size_ = 0;
  std::uint64_t length_ = 0;  // bytes
};

// Digest of the words of a module.
std::string content_hash(std::span<const std::uint32_t> words);

}  // namespace varylink
