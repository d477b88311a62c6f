// Code of shaders that is kept, each once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace varylink::layer {

using Words = std::vector<std::uint32_t>;

// For any number of threads. Words are there as long as somebody holds them.
class SharedWords {
 public:
  std::shared_ptr<const Words> share(std::span<const std::uint32_t> words);

 private:
  void forget_those_that_are_gone();

  std::mutex mutex_;
  std::unordered_multimap<std::size_t, std::weak_ptr<const Words>> by_hash_;
  std::size_t most_before_forgetting_ = 64;
};

}  // namespace varylink::layer
