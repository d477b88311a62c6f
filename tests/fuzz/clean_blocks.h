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

// The seeds first + 1 to first + 100, where first is a multiple of 100: few, so that a change of one pipeline in a
// thousand draws a tenth of them anew.
constexpr std::uint64_t kBlockSize = 100;

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

// Of the block's seeds in order, and of the options that decide what they are. None if a seed is missing.
std::optional<std::string> words_of_block(std::uint64_t first, const PoolSummary& summary, const std::string& options);

}  // namespace varylink::fuzz
