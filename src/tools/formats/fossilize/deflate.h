// zlib, or nothing in builds without it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace varylink::formats::fossilize {

// False: the functions below give none, or nothing.
bool has_zlib();

// The `size` bytes that zlib data holds. None if it is damaged, or holds more or fewer.
std::optional<std::string> inflated(std::string_view data, std::size_t size);
std::string deflated(std::string_view bytes);

// CRC-32.
std::uint32_t checksum_of(std::string_view bytes);

}  // namespace varylink::formats::fossilize
