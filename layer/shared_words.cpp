#include "shared_words.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace varylink::layer {

std::shared_ptr<const Words> SharedWords::share(std::span<const std::uint32_t> words) {
  const std::size_t hash = std::hash<std::string_view>()(
      {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint32_t)});
  const std::lock_guard lock(mutex_);
  const auto [first, end] = by_hash_.equal_range(hash);
  for (auto each = first; each != end; ++each)
    if (std::shared_ptr<const Words> known = each->second.lock(); known && std::ranges::equal(*known, words))
      return known;
  forget_those_that_are_gone();
  auto made = std::make_shared<const Words>(words.begin(), words.end());
  by_hash_.emplace(hash, made);
  return made;
}

void SharedWords::forget_those_that_are_gone() {
  if (by_hash_.size() < most_before_forgetting_) return;
  std::erase_if(by_hash_, [](const auto& each) { return each.second.expired(); });
  most_before_forgetting_ = 2 * by_hash_.size() + 64;
}

}  // namespace varylink::layer
