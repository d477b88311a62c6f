// Requests to end wait for what must not be torn apart.
#include "platform/end_requests.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "platform/threads.h"
#include "support/catch.h"

namespace varylink::platform {

TEST_CASE("platform: any number of threads hold requests to end", "[platform]") {
  std::atomic<int> held{0};
  const std::function<void()> body = [&held] {
    for (int i = 0; i < 100; ++i) {
      const HoldEndRequests outer, inner;
      ++held;
    }
  };
  std::size_t started = 0;
  {
    const DeepThreads threads(4, body);
    started = threads.count();
  }
  CHECK(started == 4);
  CHECK(held == 400);
}

TEST_CASE("platform: threads have room for deep recursion", "[platform]") {
  // 4 MiB of frames, which must not be optimized away.
  struct Deep {
    static int descend(int depth) {
      volatile char frame[4096] = {};
      frame[0] = static_cast<char>(depth);
      return depth == 0 ? frame[0] : descend(depth - 1) + frame[0] - static_cast<char>(depth);
    }
  };
  int result = -1;
  const std::function<void()> body = [&result] { result = Deep::descend(1000); };
  { const DeepThreads threads(1, body); }
  CHECK(result == 0);
  CHECK(processors() >= 1);
}

}  // namespace varylink::platform
