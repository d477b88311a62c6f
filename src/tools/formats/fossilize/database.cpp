#include "formats/fossilize/database.h"

#include <charconv>
#include <optional>

#include "formats/fossilize/deflate.h"

namespace varylink::formats::fossilize {
namespace {

constexpr std::uint64_t kMostPayload = 256u << 20;  // bytes of a module or object

constexpr std::string_view kMagic(
    "\x81"
    "FOSSILIZEDB\0\0\0",
    15);
constexpr std::size_t kHeaderSize = 16;
constexpr int kOldest = 5, kNewest = 6;
// 40 hexadecimal digits, of which the last 16 are the hash and those before it the tag; then four numbers.
constexpr std::size_t kNameSize = 40, kHashDigits = 16, kEntryHeaderSize = kNameSize + 16;
constexpr std::uint32_t kStored = 1, kDeflated = 2;

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return value;
}

void put_little_endian(std::string& bytes, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
}

std::optional<std::uint64_t> hexadecimal(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::string name_of(const Entry& entry) {
  return "entry " + hash_text(entry.hash) + " with tag " + std::to_string(static_cast<std::uint32_t>(entry.tag));
}

// The entry at the start of `rest`, which has at least the header of one.
std::optional<Entry> read_entry(std::string_view rest) {
  const auto tag = hexadecimal(rest.substr(0, kNameSize - kHashDigits));
  const auto hash = hexadecimal(rest.substr(kNameSize - kHashDigits, kHashDigits));
  const std::uint32_t flags = little_endian(rest, kNameSize + 4);
  if (!tag || *tag > UINT32_MAX || !hash || (flags != kStored && flags != kDeflated)) return std::nullopt;
  Entry entry;
  entry.tag = static_cast<Tag>(*tag);
  entry.hash = *hash;
  entry.is_deflated = flags == kDeflated;
  entry.checksum = little_endian(rest, kNameSize + 8);
  entry.size = little_endian(rest, kNameSize + 12);
  return entry;
}

}  // namespace

std::string hash_text(std::uint64_t hash) {
  std::string text(kHashDigits, '0');
  for (std::size_t i = 0; i < kHashDigits; ++i, hash >>= 4) text[kHashDigits - 1 - i] = "0123456789abcdef"[hash & 0xf];
  return text;
}

bool is_database(std::string_view bytes) { return bytes.starts_with(kMagic.substr(0, 12)); }

Result<Database> read_database(std::string bytes, const std::string& file) {
  Database database;
  database.file = std::make_shared<const std::string>(std::move(bytes));
  const std::string_view all = *database.file;
  if (!all.starts_with(kMagic) || all.size() < kHeaderSize)
    return make_error(ErrorKind::usage, file, "is no Fossilize database");
  const int version = static_cast<unsigned char>(all[kHeaderSize - 1]);
  if (version < kOldest || version > kNewest)
    return make_error(ErrorKind::usage, file,
                      "is a Fossilize database of version " + std::to_string(version) + "; 5 and 6 can be read");
  database.header = all.substr(0, kHeaderSize);
  for (std::size_t at = kHeaderSize; at < all.size();) {
    const std::string_view rest = all.substr(at);
    if (rest.size() < kEntryHeaderSize || little_endian(rest, kNameSize) > rest.size() - kEntryHeaderSize) {
      database.is_cut_off = true;
      break;
    }
    std::optional<Entry> entry = read_entry(rest);
    if (!entry) return make_error(ErrorKind::usage, file, "byte " + std::to_string(at) + " does not begin an entry");
    entry->stored = rest.substr(kEntryHeaderSize, little_endian(rest, kNameSize));
    entry->bytes = rest.substr(0, kEntryHeaderSize + entry->stored.size());
    at += entry->bytes.size();
    database.entries.push_back(*entry);
  }
  return database;
}

Result<std::string> payload_of(const Entry& entry, const std::string& file) {
  if (!has_zlib())
    return make_error(ErrorKind::usage, file, "this build of varylink has no zlib, which Fossilize databases need");
  if (entry.checksum != 0 && entry.checksum != checksum_of(entry.stored))
    return make_error(ErrorKind::usage, file, name_of(entry) + " is damaged: its checksum is another one");
  if (!entry.is_deflated) {
    if (entry.size == entry.stored.size()) return std::string(entry.stored);
    return make_error(ErrorKind::usage, file, name_of(entry) + " is damaged: its size is another one");
  }
  if (entry.size > kMostPayload)
    return make_error(ErrorKind::usage, file, name_of(entry) + " is damaged: it would be larger than any");
  std::optional<std::string> bytes = inflated(entry.stored, entry.size);
  if (!bytes) return make_error(ErrorKind::usage, file, name_of(entry) + " is damaged: it cannot be inflated");
  return std::move(*bytes);
}

std::string entry_bytes(Tag tag, std::uint64_t hash, std::string_view payload, bool is_deflated) {
  const std::string stored = is_deflated ? deflated(payload) : std::string(payload);
  std::string bytes =
      std::string(kNameSize - 2 * kHashDigits, '0') + hash_text(static_cast<std::uint32_t>(tag)) + hash_text(hash);
  put_little_endian(bytes, static_cast<std::uint32_t>(stored.size()));
  put_little_endian(bytes, is_deflated ? kDeflated : kStored);
  put_little_endian(bytes, checksum_of(stored));
  put_little_endian(bytes, static_cast<std::uint32_t>(payload.size()));
  return bytes + stored;
}

}  // namespace varylink::formats::fossilize
