#include "store/link_cache.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <tuple>
#include <vector>

#include "base/sha256.h"
#include "platform/end_requests.h"
#include "platform/file_system.h"
#include "platform/output_file.h"
#include "platform/path.h"
#include "store/temporary_file.h"

namespace varylink::store {
namespace {

constexpr std::size_t kHashDigits = 64;

// With the key: an entry that came to lie in the place of another one is none.
std::string checksum(std::string_view key, std::string_view bytes) {
  Sha256 hash;
  hash.add(key);
  hash.add(bytes);
  return hash.hex();
}

// Entries of the cache and nothing else that may lie in the folder.
bool is_entry(const std::string& path) {
  const std::string name = platform::file_part(path), folder = platform::file_part(platform::folder_of(path));
  const auto is_hex = [](const std::string& text) {
    return text.find_first_not_of("0123456789abcdef") == std::string::npos;
  };
  return folder.size() == 2 && is_hex(folder) && name.size() == kHashDigits - 2 && is_hex(name);
}

// Files under temporary names begin with a dot and the name of an entry.
bool is_temporary_entry(const std::string& path) {
  const std::string name = platform::file_part(path);
  return name.size() > kHashDigits && name.front() == '.' &&
         is_entry(platform::joined(platform::folder_of(path), name.substr(1, kHashDigits - 2)));
}

// None if there is no file, or something else: in a folder that others may write to it may be a link to any file.
std::optional<std::string> bytes_of_entry(const std::string& path) {
  if (platform::kind_of(platform::folder_of(path), platform::Links::seen) != platform::FileKind::folder ||
      platform::kind_of(path, platform::Links::seen) != platform::FileKind::regular)
    return std::nullopt;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(platform::open_for_reading(path, platform::Links::seen),
                                                             std::fclose);
  if (!file) return std::nullopt;
  std::string bytes;
  std::array<char, 65536> part;
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), file.get()))
    bytes.append(part.data(), count);
  return std::ferror(file.get()) ? std::nullopt : std::optional(std::move(bytes));
}

// Removes temporary files of runs that died on the way.
std::vector<platform::FileEntry> entries_of(const std::string& folder) {
  std::vector<platform::FileEntry> entries;
  for (platform::FileEntry& entry : platform::files_in(folder, true)) {
    if (is_temporary_entry(entry.name)) platform::remove_if_abandoned(entry.name);
    if (is_entry(entry.name)) entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

void CacheUse::set_reason(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  reason_ = reason;
}

std::string CacheUse::not_stored_text() const {
  const std::lock_guard lock(mutex_);
  return std::to_string(not_stored) + (not_stored == 1 ? " entry" : " entries") + " could not be written: " + reason_;
}

std::string CacheUse::text() const {
  std::string text = std::to_string(known_results) + " of " + std::to_string(results) + " results known";
  const char* separator = "; modules of the others known to be valid: ";
  for (std::size_t i = 0; i < validated.size(); ++i) {
    if (validated[i] == 0) continue;
    text += separator + std::string(short_name(static_cast<Stage>(i))) + " " + std::to_string(known_valid[i]) + " of " +
            std::to_string(validated[i]);
    separator = ", ";
  }
  return text;
}

std::string LinkCache::path_of(const std::string& key) const {
  return folder_ + "/" + key.substr(0, 2) + "/" + key.substr(2);
}

std::optional<std::string> LinkCache::load(const std::string& key) const {
  const std::string path = path_of(key);
  const std::optional<std::string> bytes = bytes_of_entry(path);
  if (!bytes || bytes->size() < kHashDigits) return std::nullopt;
  std::string content = bytes->substr(kHashDigits);
  if (bytes->compare(0, kHashDigits, checksum(key, content)) != 0) return std::nullopt;
  platform::touch(path);
  return content;
}

void LinkCache::store(const std::string& key, const std::string& bytes) const {
  // A run that is asked to end leaves no half of an entry behind.
  std::optional<platform::HoldEndRequests> whole;
  if (signals_ == Signals::held) whole.emplace();
  const Result<void> stored = replace_file(path_of(key), checksum(key, bytes) + bytes);
  if (stored) return;
  if (++use_->not_stored == 1) use_->set_reason(stored.error().message);
}

void LinkCache::evict(std::uint64_t limit) const {
  std::vector<platform::FileEntry> entries = entries_of(folder_);
  std::uint64_t total = 0;
  for (const platform::FileEntry& entry : entries) total += entry.size;
  std::sort(entries.begin(), entries.end(), [](const platform::FileEntry& a, const platform::FileEntry& b) {
    return std::tie(a.changed, a.name) < std::tie(b.changed, b.name);
  });
  for (const platform::FileEntry& entry : entries) {
    if (total <= limit) return;
    (void)platform::remove(entry.name);
    total -= entry.size;
  }
}

}  // namespace varylink::store
