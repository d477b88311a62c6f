#include <pthread.h>
#ifdef __linux__
#include <sched.h>
#endif

#include <algorithm>
#include <thread>

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

}  // namespace varylink::platform
