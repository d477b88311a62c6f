// Structs of the C interface that grow: their first member says how much of them the other side knows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace varylink::api {

// No struct will ever be larger; a struct_size beyond it was never set.
constexpr std::size_t kLargestStruct = 4096;

// Size of the struct in the first release that had it. A struct that has grown since needs a specialization, so that
// programs of then are still understood.
template <typename T>
constexpr std::size_t kFirstSize = sizeof(T);

template <typename T>
bool has_usable_size(const T& value) {
  return value.struct_size >= kFirstSize<T> && value.struct_size <= kLargestStruct;
}

// Copies the caller's struct to `to`; fields that the caller does not know are zero. False if the size makes no sense
// or if fields that we do not know are not zero.
template <typename T>
bool read_sized(const T& from, T& to) {
  if (!has_usable_size(from)) return false;
  const auto* bytes = reinterpret_cast<const unsigned char*>(&from);
  const std::size_t size = from.struct_size;
  const std::size_t known = std::min(size, sizeof(T));
  to = T{};
  std::memcpy(&to, bytes, known);
  return std::all_of(bytes + known, bytes + size, [](unsigned char byte) { return byte == 0; });
}

// Copies `from` to the caller's struct as far as that reaches; further fields of that become zero, its struct_size
// stays. False, and nothing is written, if the size makes no sense.
template <typename T>
bool write_sized(const T& from, T& to) {
  if (!has_usable_size(to)) return false;
  const std::size_t size = to.struct_size;
  const std::size_t known = std::min(size, sizeof(T));
  auto* bytes = reinterpret_cast<unsigned char*>(&to);
  std::memcpy(bytes, &from, known);
  std::memset(bytes + known, 0, size - known);
  to.struct_size = size;
  return true;
}

}  // namespace varylink::api
