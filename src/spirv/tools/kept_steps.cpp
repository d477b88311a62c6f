#include "spirv/tools/kept_steps.h"

namespace varylink::spirv {

std::optional<std::string> KeptSteps::load(Stage, const std::string& key) {
  const std::lock_guard lock(mutex_);
  ++use_.asked;
  const auto found = steps_.find(key);
  if (found == steps_.end()) return std::nullopt;
  ++use_.known;
  return found->second;
}

void KeptSteps::store(const std::string& key, const std::string& bytes) {
  constexpr std::size_t kSmall = 64;
  const std::lock_guard lock(mutex_);
  if (!steps_.emplace(key, bytes).second || bytes.size() <= kSmall) return;
  large_.push_back(key);
  bytes_ += bytes.size();
  while (bytes_ > most_bytes_) {
    const auto oldest = steps_.find(large_.front());
    bytes_ -= oldest->second.size();
    steps_.erase(oldest);
    large_.pop_front();
  }
}

KeptSteps::Use KeptSteps::use() const {
  const std::lock_guard lock(mutex_);
  return use_;
}

}  // namespace varylink::spirv
