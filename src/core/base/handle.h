// A typed 32-bit index into an array. Two kinds of handle do not convert into each other, so that an instruction
// cannot be passed where a block is meant.
#pragma once

#include <compare>
#include <cstdint>

namespace varylink {

template <typename Tag>
struct Handle {
  static constexpr std::uint32_t kNone = 0xffffffffu;

  std::uint32_t index = kNone;

  // False for the handle that refers to nothing.
  explicit operator bool() const { return index != kNone; }
  friend auto operator<=>(const Handle&, const Handle&) = default;
};

}  // namespace varylink
