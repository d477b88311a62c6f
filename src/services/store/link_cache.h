// Results by key in a folder that any number of processes and threads may share.
//
// An entry is a file DIR/ab/<rest of the key>, which is written beside its place and renamed, so that readers see all
// of it or nothing. No link is followed inside of the folder, so that a link of another user leads nowhere. An entry
// starts with a checksum: a damaged or half-gone entry is no entry. Entries never change; the file time says when one
// was last used, and the ones not used for longest go first when the folder grows over its limit.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "spirv/ir/stage.h"

namespace varylink::store {

constexpr std::uint64_t kMib = std::uint64_t{1} << 20;  // bytes in the unit of --cache-limit

// How often a run found the entry that it looked for. Threads count together.
struct CacheUse {
  std::atomic<std::size_t> results = 0, known_results = 0;  // of pipelines, or of what is linked together
  // Runs of the validator, by stage, for results that were not known.
  std::array<std::atomic<std::size_t>, kStageCount> validated = {}, known_valid = {};
  std::atomic<std::size_t> not_stored = 0;  // entries that could not be written

  // "5 of 6 results known; modules of the others known to be valid: vert 7 of 7, frag 1 of 8"
  std::string text() const;
  // "3 entries could not be written: <why the first could not>"
  std::string not_stored_text() const;
  void set_reason(const std::string& reason);

 private:
  mutable std::mutex mutex_;
  std::string reason_;  // why the first of those that are not stored is not
};

// Whether an end that is asked for waits until an entry is written. In the program of somebody else handlers of signals
// are not ours: then another process removes what such an end leaves.
enum class Signals { held, left_alone };

class LinkCache {
 public:
  explicit LinkCache(std::string folder, Signals signals = Signals::held)
      : folder_(std::move(folder)), signals_(signals) {}

  // The bytes stored under `key` (hexadecimal digits), none if there are none that are whole. Never fails.
  std::optional<std::string> load(const std::string& key) const;
  // A full disk or a folder without permission means that nothing is stored; that is counted and no error.
  void store(const std::string& key, const std::string& bytes) const;
  // Removes the entries that were not used for longest until the rest takes no more than `limit` bytes, and temporary
  // files of processes that have ended.
  void evict(std::uint64_t limit) const;

  CacheUse& use() const { return *use_; }
  const std::string& folder() const { return folder_; }

 private:
  std::string path_of(const std::string& key) const;

  std::string folder_;
  Signals signals_;
  std::shared_ptr<CacheUse> use_ = std::make_shared<CacheUse>();
};

}  // namespace varylink::store
