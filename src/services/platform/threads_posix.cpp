#include <pthread.h>
#ifdef __linux__
#include <sched.h>
#endif

#include <algorithm>
#include <cstdint>
#include <thread>
#include <utility>

#include "platform/threads.h"

namespace varylink::platform {
namespace {

void* call(void* body) {
  (*static_cast<const std::function<void()>*>(body))();
  return nullptr;
}

}  // namespace

std::size_t processors() {
#ifdef __linux__
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return static_cast<std::size_t>(CPU_COUNT(&allowed));
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

struct DeepThreads::Threads {
  std::vector<pthread_t> started;
};

DeepThreads::DeepThreads(std::size_t count, const std::function<void()>& body, std::size_t stack_bytes)
    : threads_(std::make_unique<Threads>()) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  threads_->started.reserve(count);
  void* argument = const_cast<std::function<void()>*>(&body);
  for (pthread_t thread{}; this->count() < count && pthread_create(&thread, &attributes, call, argument) == 0;)
    threads_->started.push_back(thread);
  pthread_attr_destroy(&attributes);
}

DeepThreads::~DeepThreads() {
  for (const pthread_t thread : threads_->started) pthread_join(thread, nullptr);
}

std::size_t DeepThreads::count() const { return threads_->started.size(); }

bool has_deep_stack() {
#ifdef __linux__
  // Asking costs as much as a thread does, for the first one of a process.
  thread_local const auto stack = [] {
    pthread_attr_t attributes;
    void* low = nullptr;
    std::size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      pthread_attr_getstack(&attributes, &low, &size);
      pthread_attr_destroy(&attributes);
    }
    return std::pair(reinterpret_cast<std::uintptr_t>(low), size);
  }();
  const char here = 0;
  const std::uintptr_t left = reinterpret_cast<std::uintptr_t>(&here) - stack.first;
  return left < stack.second && left >= DeepThreads::kStackBytes / 4 * 3;  // a fiber's stack is elsewhere
#else
  return false;
#endif
}

}  // namespace varylink::platform
