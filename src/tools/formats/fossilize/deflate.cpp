#include "formats/fossilize/deflate.h"

#ifdef VARYLINK_HAVE_ZLIB
#include <zlib.h>
#endif

namespace varylink::formats::fossilize {

#ifdef VARYLINK_HAVE_ZLIB

bool has_zlib() { return true; }

std::optional<std::string> inflated(std::string_view data, std::size_t size) {
  // Deflate makes nothing smaller than by this factor, so that a size that is made up gets no memory.
  constexpr std::size_t kMostRatio = 1032;
  if (size / kMostRatio > data.size()) return std::nullopt;
  std::string bytes(size, '\0');
  uLongf length = size;
  const int status = uncompress(reinterpret_cast<Bytef*>(bytes.data()), &length,
                                reinterpret_cast<const Bytef*>(data.data()), static_cast<uLong>(data.size()));
  if (status != Z_OK || length != size) return std::nullopt;
  return bytes;
}

std::string deflated(std::string_view bytes) {
  uLongf length = compressBound(static_cast<uLong>(bytes.size()));
  std::string data(length, '\0');
  compress2(reinterpret_cast<Bytef*>(data.data()), &length, reinterpret_cast<const Bytef*>(bytes.data()),
            static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
  data.resize(length);
  return data;
}

std::uint32_t checksum_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

#else

bool has_zlib() { return false; }

std::optional<std::string> inflated(std::string_view, std::size_t) { return std::nullopt; }

std::string deflated(std::string_view) { return {}; }

std::uint32_t checksum_of(std::string_view) { return 0; }

#endif

}  // namespace varylink::formats::fossilize
