#include "platform/threads.h"

#include "support/catch.h"

using namespace varylink;

namespace {

bool is_deep(std::size_t stack_bytes) {
  bool deep = false;
  const std::function<void()> body = [&] { deep = platform::has_deep_stack(); };
  { const platform::DeepThreads thread(1, body, stack_bytes); }
  return deep;
}

}  // namespace

TEST_CASE("a thread knows whether its stack is deep", "[platform]") {
  CHECK(is_deep(platform::DeepThreads::kStackBytes));
  // Half as deep would get the stack of a thread that is gone.
  CHECK_FALSE(is_deep(platform::DeepThreads::kStackBytes / 8));
}
