#include "fuzz/clean_blocks.h"

#include <fstream>
#include <sstream>

#include "base/sha256.h"

namespace varylink::fuzz {
namespace {

constexpr std::size_t kDigits = 16;  // of the hash

std::string line_of(std::uint64_t first, const std::string& words) {
  return std::to_string(first) + ".." + std::to_string(first + kBlockSize - 1) + " " + words;
}

}  // namespace

Result<CleanBlocks> CleanBlocks::read(const std::string& path) {
  CleanBlocks blocks;
  blocks.path_ = path;
  std::ifstream file(path);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    std::istringstream text(line);
    std::uint64_t first = 0;
    std::string last, words;
    text >> first >> last >> words;
    if (!text || words.size() != kDigits || line != line_of(first, words)) {
      Diagnostic error = make_error(ErrorKind::usage, path, "this is no block of seeds: " + line);
      error.line = number;
      return error;
    }
    blocks.words_[first] = words;
  }
  return blocks;
}

std::optional<std::string> CleanBlocks::words_of(std::uint64_t first) const {
  const auto found = words_.find(first);
  return found == words_.end() ? std::nullopt : std::optional(found->second);
}

Result<void> CleanBlocks::add(std::uint64_t first, const std::string& words) {
  const bool is_new = words_.insert_or_assign(first, words).second;
  std::ofstream file(path_, is_new ? std::ios::app : std::ios::trunc);
  if (is_new) {
    file << line_of(first, words) << "\n";
  } else {
    for (const auto& [each, known] : words_) file << line_of(each, known) << "\n";
  }
  file.close();
  if (!file) return make_error(ErrorKind::io, path_, "cannot be written");
  return {};
}

std::optional<std::string> words_of_block(std::uint64_t first, const PoolSummary& summary, const std::string& options) {
  Sha256 hash;
  hash.add(std::string_view(options));
  for (std::uint64_t seed = first; seed < first + kBlockSize; ++seed) {
    const auto found = summary.words.find(seed);
    if (found == summary.words.end()) return std::nullopt;
    hash.add(std::string_view(found->second));
  }
  return hash.hex().substr(0, kDigits);
}

}  // namespace varylink::fuzz
