// Seeds that ran clean, remembered from tree to tree: where all words that came in and went out are the same as then,
// proofs and pictures are too.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "fuzz/job_pool.h"

namespace varylink::fuzz {

// The seeds first + 1 to first + 1000, where first is a multiple of 1000.
constexpr std::uint64_t kBlockSize = 1000;

// A text file with a line "FIRST..LAST WORDS" for each block of seeds that ran clean.
class CleanBlocks {
 public:
  // A file that is not there has no blocks. Error: usage (a line cannot be read).
  static Result<CleanBlocks> read(const std::string& path);

  // None if the block that begins with this seed is not in the file.
  std::optional<std::string> words_of(std::uint64_t first) const;
  // Puts it into the file as well, so that who is stopped keeps it. Error: io (cannot be written).
  Result<void> add(std::uint64_t first, const std::string& words);

 private:
  std::string path_;
  std::map<std::uint64_t, std::string> words_;  // by first seed
};

// Of all seeds of a run in order, and of the options that decide what they are. None if a seed is missing.
std::optional<std::string> words_of(const PoolOptions& seeds, const PoolSummary& summary, const std::string& options);

}  // namespace varylink::fuzz
