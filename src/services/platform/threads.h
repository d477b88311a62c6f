// Threads with room for deep recursion.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace varylink::platform {

// How many threads can run at a time: processors that this process may use, at least 1.
std::size_t processors();

// Threads with the stack that the first thread has nearly everywhere, 8 MiB: C libraries give other threads as little
// as 128 KiB, and compilers recurse.
class DeepThreads {
 public:
  static constexpr std::size_t kStackBytes = std::size_t{8} << 20;

  // Starts up to `count` threads that call `body`, which must outlive them and must not throw. Fewer where the system
  // gives no more. Of a stack nothing but what is used takes memory.
  DeepThreads(std::size_t count, const std::function<void()>& body, std::size_t stack_bytes = kStackBytes);
  // Waits for them.
  ~DeepThreads();
  DeepThreads(const DeepThreads&) = delete;
  DeepThreads& operator=(const DeepThreads&) = delete;

  std::size_t count() const;

 private:
  struct Threads;
  std::unique_ptr<Threads> threads_;
};

// Whether the calling thread has most of such a stack left. Unknown is no.
bool has_deep_stack();

}  // namespace varylink::platform
