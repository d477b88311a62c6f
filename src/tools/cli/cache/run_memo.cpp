#include "cli/cache/run_memo.h"

#include <utility>

namespace varylink::cli {

RunMemo::Claim::~Claim() {
  if (memo_) memo_->release(key_, std::nullopt);
}

void RunMemo::Claim::store(const std::string& bytes) {
  RunMemo* memo = std::exchange(memo_, nullptr);
  memo->release(key_, memo->file_.append(bytes));
}

void RunMemo::release(const std::string& key, std::optional<ScratchFile::Place> place) {
  {
    const std::lock_guard lock(mutex_);
    if (place)
      places_[key] = place;
    else
      places_.erase(key);
  }
  released_.notify_all();
}

RunMemo::Answer RunMemo::load_or_claim(const std::string& key) {
  ScratchFile::Place place;
  {
    std::unique_lock lock(mutex_);
    auto found = places_.find(key);
    for (; found != places_.end() && !found->second; found = places_.find(key)) released_.wait(lock);
    if (found == places_.end()) {
      places_.emplace(key, std::nullopt);
      return {std::nullopt, Claim(*this, key)};
    }
    place = *found->second;
  }
  return {file_.read(place), std::nullopt};
}

}  // namespace varylink::cli
