// The hash function of Fossilize: FNV-1 over 32-bit words where others take bytes.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace varylink::formats::fossilize {

class Hasher {
 public:
  void u32(std::uint32_t value) { hash_ = (hash_ * 0x100000001b3ull) ^ value; }
  void u64(std::uint64_t value) {
    u32(static_cast<std::uint32_t>(value));
    u32(static_cast<std::uint32_t>(value >> 32));
  }
  void f32(float value) { u32(std::bit_cast<std::uint32_t>(value)); }
  void text(std::string_view text) {
    u32(0xff);
    bytes(text);
  }
  void bytes(std::string_view bytes) {
    for (const char c : bytes) u32(static_cast<unsigned char>(c));
  }
  std::uint64_t get() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ull;
};

}  // namespace varylink::formats::fossilize
