#include "cli/batch/run_in_order.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <vector>

#include "platform/threads.h"

namespace varylink::cli {
namespace {

// Items in flight per thread: enough that a slow one at the head does not leave the others idle.
constexpr std::size_t kInFlightPerThread = 4;

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

}  // namespace

void run_in_order(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work,
                  const std::function<void(std::size_t)>& take) {
  const std::size_t wanted = std::min(count, jobs == 0 ? platform::processors() : jobs);
  if (wanted > 1) {
    Run run(count, wanted, work);
    bool started = false;
    {
      const std::function<void()> body = [&run] { run.work(); };
      const platform::DeepThreads threads(wanted, body);
      started = threads.count() > 0;
      if (started) run.take_all(take);
    }
    if (run.failure()) std::rethrow_exception(run.failure());
    if (started) return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    work(i);
    if (take) take(i);
  }
}

}  // namespace varylink::cli
