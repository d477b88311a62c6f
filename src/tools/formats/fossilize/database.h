// Fossilize databases (.foz) as files: a header and entries, each with a tag, a hash and a payload that may be
// deflated. The layout is that of the stream archive of Fossilize, versions 5 and 6.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace varylink::formats::fossilize {

// The kind of object that an entry holds.
enum class Tag : std::uint32_t {
  application_info = 0,
  sampler = 1,
  descriptor_set_layout = 2,
  pipeline_layout = 3,
  shader_module = 4,
  render_pass = 5,
  graphics_pipeline = 6,
  compute_pipeline = 7,
  application_blob_link = 8,
  raytracing_pipeline = 9,
};

// "0123456789abcdef"
std::string hash_text(std::uint64_t hash);

struct Entry {
  Tag tag{};
  std::uint64_t hash = 0;
  std::string_view bytes;   // of the whole entry as stored
  std::string_view stored;  // the part of it that holds the payload
  bool is_deflated = false;
  std::uint32_t checksum = 0;  // CRC-32 of `stored`; 0: none
  std::uint32_t size = 0;      // of the payload
};

struct Database {
  std::shared_ptr<const std::string> file;  // owns the bytes of the views below
  std::string_view header;
  std::vector<Entry> entries;  // in the order of the file
  bool is_cut_off = false;     // the last entry is not whole, as when its writer was ended; it is not among `entries`
};

// True if the bytes begin as a database does.
bool is_database(std::string_view bytes);

// Reads the entries, no payload. Error: usage, naming `file`: another format or version, a tag or hash that is none.
Result<Database> read_database(std::string bytes, const std::string& file);

// The payload. Error: usage, naming `file` and the entry: another checksum, damaged data, another size than said; and
// if this build of Varylink has no zlib.
Result<std::string> payload_of(const Entry& entry, const std::string& file);

// The bytes of an entry, with a checksum.
std::string entry_bytes(Tag tag, std::uint64_t hash, std::string_view payload, bool deflated);

}  // namespace varylink::formats::fossilize
