#include "cli/cache/link_cache.h"

#include <algorithm>
#include <chrono>
#include <tuple>
#include <vector>

#include "base/sha256.h"
#include "cli/files/output_files.h"
#include "frontend/read_file.h"
#include "platform/file_system.h"
#include "platform/path.h"

namespace varylink::cli {
namespace {

constexpr std::size_t kHashDigits = 64;
constexpr std::chrono::hours kAbandoned{1};  // age of a temporary file that nobody writes any more

std::string checksum(std::string_view bytes) {
  Sha256 hash;
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

// Files under write_files' temporary names begin with a dot and the name of an entry.
bool is_temporary_entry(const std::string& path) {
  const std::string name = platform::file_part(path);
  return name.size() > kHashDigits && name.front() == '.' &&
         is_entry(platform::joined(platform::folder_of(path), name.substr(1, kHashDigits - 2)));
}

// Removes temporary files of runs that died on the way.
std::vector<platform::FileEntry> entries_of(const std::string& folder) {
  std::vector<platform::FileEntry> entries;
  const auto now = std::chrono::system_clock::now();
  for (platform::FileEntry& entry : platform::files_in(folder, true)) {
    if (is_temporary_entry(entry.name) && now - entry.changed > kAbandoned) (void)platform::remove(entry.name);
    if (is_entry(entry.name)) entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

std::string CacheUse::text() const {
  std::string text = std::to_string(known_results) + " of " + std::to_string(results) + " results known";
  const char* separator = "; steps of the others known: ";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] == 0) continue;
    text += separator + std::string(short_name(static_cast<Stage>(i))) + " " + std::to_string(known_steps[i]) + " of " +
            std::to_string(steps[i]);
    separator = ", ";
  }
  if (not_stored > 0)
    text += "; " + std::to_string(not_stored) + (not_stored == 1 ? " entry" : " entries") + " could not be written";
  return text;
}

std::string LinkCache::path_of(const std::string& key) const {
  return folder_ + "/" + key.substr(0, 2) + "/" + key.substr(2);
}

std::optional<std::string> LinkCache::load(const std::string& key) const {
  const std::string path = path_of(key);
  if (platform::kind_of(path) != platform::FileKind::regular) return std::nullopt;
  Result<std::string> bytes = frontend::read_file(path);
  if (!bytes || bytes->size() < kHashDigits) return std::nullopt;
  std::string content = bytes->substr(kHashDigits);
  if (bytes->compare(0, kHashDigits, checksum(content)) != 0) return std::nullopt;
  platform::touch(path);
  return content;
}

void LinkCache::store(const std::string& key, const std::string& bytes) const {
  const OutputFile file{path_of(key), checksum(bytes) + bytes};
  if (!write_files({&file, 1})) ++use_->not_stored;
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

}  // namespace varylink::cli
