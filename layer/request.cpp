#include "request.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <new>

#include "milliseconds.h"
#include "platform/threads.h"

namespace varylink::layer {
namespace {

// Threads of a program may have little stack.
void on_deep_stack(const std::function<void()>& work) {
  if (platform::has_deep_stack()) return work();
  std::exception_ptr failure;
  const std::function<void()> body = [&] {
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  };
  {
    const platform::DeepThreads thread(1, body);
    if (thread.count() == 0) throw std::bad_alloc();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

VkResult Request::run() {
  if (!is_prepared()) return create_original();
  const auto start = Clock::now();
  const bool is_changed =
      std::any_of(decisions_.begin(), decisions_.end(), [](const Decision& each) { return each.linked != nullptr; });
  VkResult result = VK_SUCCESS;
  const bool is_refused = is_changed && !creates_linked(result);
  if (is_refused) destroy_all();
  if (is_refused || !is_changed) result = create_original();
  try {
    report(is_refused, milliseconds_since(start));
  } catch (...) {  // the summary lacks these
  }
  return result;
}

bool Request::is_prepared() {
  try {
    if (is_for_compilers())
      on_deep_stack([&] { prepare(); });
    else
      prepare();
    return true;
  } catch (...) {  // no memory, no thread
    return false;
  }
}

bool Request::creates_linked(VkResult& result) {
  try {
    result = create_linked();
    return result >= 0;
  } catch (...) {
    return false;
  }
}

void Request::report(bool refused, double driver_ms) {
  for (std::size_t i = 0; i < decisions_.size(); ++i) {
    Decision& each = decisions_[i];
    if (refused && each.linked) each.pass_through("the driver does not take the linked pipeline");
    if (each.linked && !is_created(i)) each.pass_through("the driver created nothing");
    each.outcome.driver_ms = driver_ms / static_cast<double>(decisions_.size());
    device_.instance->journal->pipeline(each.outcome);
  }
}

}  // namespace varylink::layer
