#include "cli/batch/run_in_order.h"

#include <pthread.h>
#ifdef __linux__
#include <sched.h>
#endif

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace varylink::cli {
namespace {

// Items in flight per thread: enough that a slow one at the head does not leave the others idle.
constexpr std::size_t kInFlightPerThread = 4;
// What the first thread has nearly everywhere. C libraries give other threads as little as 128 KiB, and compilers
// recurse.
constexpr std::size_t kStackBytes = 8u << 20;

std::size_t processors() {
#ifdef __linux__
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return static_cast<std::size_t>(CPU_COUNT(&allowed));
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

class Run {
 public:
  Run(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work)
      : ahead_(kInFlightPerThread * threads), work_(work), done_(count) {}

  // What each thread does: one item after the other.
  void work();
  // Takes all items. Returns early after an exception.
  void take_all(const std::function<void(std::size_t)>& take);
  void stop(std::exception_ptr failure);
  std::exception_ptr failure() const { return failure_; }

 private:
  const std::size_t ahead_;
  const std::function<void(std::size_t)>& work_;
  std::mutex mutex_;
  std::condition_variable room_, progress_;  // room to start an item; an item is done or nothing more will be
  std::vector<bool> done_;
  std::size_t started_ = 0, taken_ = 0;
  std::exception_ptr failure_;
};

void Run::stop(std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(failure);
  room_.notify_all();
  progress_.notify_all();
}

void Run::work() try {
  std::unique_lock lock(mutex_);
  while (true) {
    room_.wait(lock, [&] { return failure_ || started_ == done_.size() || started_ < taken_ + ahead_; });
    if (failure_ || started_ == done_.size()) return;
    const std::size_t item = started_++;
    lock.unlock();
    work_(item);
    lock.lock();
    done_[item] = true;
    if (item == taken_) progress_.notify_one();
  }
} catch (...) {
  stop(std::current_exception());
}

void Run::take_all(const std::function<void(std::size_t)>& take) try {
  std::unique_lock lock(mutex_);
  for (; taken_ < done_.size(); ++taken_, room_.notify_one()) {
    progress_.wait(lock, [&] { return failure_ || done_[taken_]; });
    if (failure_) return;
    lock.unlock();
    if (take) take(taken_);
    lock.lock();
  }
  room_.notify_all();
} catch (...) {
  stop(std::current_exception());
}

// Starts up to `count` threads that work. Fewer where the system gives no more.
std::vector<pthread_t> start_threads(std::size_t count, Run& run) {
  const auto body = [](void* argument) -> void* {
    static_cast<Run*>(argument)->work();
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  std::vector<pthread_t> threads;
  threads.reserve(count);
  for (pthread_t thread{}; threads.size() < count && pthread_create(&thread, &attributes, body, &run) == 0;)
    threads.push_back(thread);
  pthread_attr_destroy(&attributes);
  return threads;
}

}  // namespace

void run_in_order(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work,
                  const std::function<void(std::size_t)>& take) {
  const std::size_t wanted = std::min(count, jobs == 0 ? processors() : jobs);
  std::vector<pthread_t> threads;
  Run run(count, wanted, work);
  if (wanted > 1) threads = start_threads(wanted, run);
  if (!threads.empty()) {
    run.take_all(take);
    for (const pthread_t thread : threads) pthread_join(thread, nullptr);
    if (run.failure()) std::rethrow_exception(run.failure());
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    work(i);
    if (take) take(i);
  }
}

}  // namespace varylink::cli
