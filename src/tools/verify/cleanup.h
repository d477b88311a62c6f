// Destroys Vulkan handles in the opposite order of their creation.
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace varylink::verify {

class Cleanup {
 public:
  Cleanup() = default;
  Cleanup(const Cleanup&) = delete;
  Cleanup& operator=(const Cleanup&) = delete;
  ~Cleanup() {
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) (*step)();
  }
  void add(std::function<void()> step) { steps_.push_back(std::move(step)); }

 private:
  std::vector<std::function<void()>> steps_;
};

}  // namespace varylink::verify
