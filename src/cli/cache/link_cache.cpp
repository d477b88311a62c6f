#include "cli/cache/link_cache.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <vector>

#include "base/sha256.h"
#include "cli/files/output_files.h"
#include "frontend/read_file.h"

namespace varylink::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHashDigits = 64;
constexpr std::chrono::hours kAbandoned{1};  // age of a temporary file that nobody writes any more

std::string checksum(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

struct Entry {
  fs::path path;
  fs::file_time_type used;
  std::uint64_t size = 0;
};

// Entries of the cache and nothing else that may lie in the folder.
bool is_entry(const fs::path& path) {
  const std::string name = path.filename().string(), folder = path.parent_path().filename().string();
  const auto is_hex = [](const std::string& text) {
    return text.find_first_not_of("0123456789abcdef") == std::string::npos;
  };
  return folder.size() == 2 && is_hex(folder) && name.size() == kHashDigits - 2 && is_hex(name);
}

// Files under write_files' temporary names begin with a dot and the name of an entry.
bool is_temporary(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.size() > kHashDigits && name.front() == '.' &&
         is_entry(path.parent_path() / name.substr(1, kHashDigits - 2));
}

std::vector<Entry> entries_of(const std::string& folder) {
  std::vector<Entry> entries;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    Entry entry{it->path(), it->last_write_time(gone), it->file_size(gone)};
    if (gone) continue;
    if (is_entry(entry.path))
      entries.push_back(std::move(entry));
    else if (is_temporary(entry.path) && now - entry.used > kAbandoned)
      fs::remove(entry.path, gone);
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
  return text;
}

std::string LinkCache::path_of(const std::string& key) const {
  return folder_ + "/" + key.substr(0, 2) + "/" + key.substr(2);
}

std::optional<std::string> LinkCache::load(const std::string& key) const {
  const std::string path = path_of(key);
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  Result<std::string> bytes = frontend::read_file(path);
  if (!bytes || bytes->size() < kHashDigits) return std::nullopt;
  std::string content = bytes->substr(kHashDigits);
  if (bytes->compare(0, kHashDigits, checksum(content)) != 0) return std::nullopt;
  fs::last_write_time(path, fs::file_time_type::clock::now(), error);
  return content;
}

void LinkCache::store(const std::string& key, const std::string& bytes) const {
  const OutputFile file{path_of(key), checksum(bytes) + bytes};
  (void)write_files({&file, 1});
}

void LinkCache::evict(std::uint64_t limit) const {
  std::vector<Entry> entries = entries_of(folder_);
  std::uint64_t total = 0;
  for (const Entry& entry : entries) total += entry.size;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return std::tie(a.used, a.path) < std::tie(b.used, b.path); });
  for (const Entry& entry : entries) {
    if (total <= limit) return;
    std::error_code error;
    fs::remove(entry.path, error);
    total -= entry.size;
  }
}

}  // namespace varylink::cli
