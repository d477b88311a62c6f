#include "background.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <set>
#include <utility>

#include "platform/program.h"

namespace varylink::layer {
namespace {

constexpr std::size_t kMostWaiting = 4096;

// Those with a thread, for the end of the process. Never destroyed, as it is needed until the very end.
struct Running {
  explicit Running(std::uint64_t process_) : process(process_) {}

  const std::uint64_t process;  // that the threads belong to
  std::mutex mutex;
  std::set<std::shared_ptr<Background>> all;
};

// A child by fork has none of its parent's threads, and begins with a list of its own. That of the parent stays as it
// is: its mutex may be locked for ever, and what is in it would wait for the threads.
Running& running() {
  static std::atomic<Running*> current = new Running(platform::process_id());
  Running* list = current;
  if (list->process == platform::process_id()) return *list;
  auto own = std::make_unique<Running>(platform::process_id());
  // Else another thread was faster, and `list` is what it made.
  return current.compare_exchange_strong(list, own.get()) ? *own.release() : *list;
}

// While a process ends, what the thread uses is torn down.
void end_all() {
  std::set<std::shared_ptr<Background>> all;
  {
    Running& list = running();
    const std::lock_guard lock(list.mutex);
    all = list.all;
  }
  for (const std::shared_ptr<Background>& each : all) each->abandon();
}

void add_running(std::shared_ptr<Background> background) {
  Running& list = running();
  const std::lock_guard lock(list.mutex);
  list.all.insert(std::move(background));
  std::atexit(end_all);
}

void remove_running(const std::shared_ptr<Background>& background) {
  Running& list = running();
  const std::lock_guard lock(list.mutex);
  list.all.erase(background);
}

}  // namespace

void Background::add(Job job) {
  const std::lock_guard lock(mutex_);
  if (stopped_ || jobs_.size() >= kMostWaiting) return;
  jobs_.push_back(std::move(job));
  changed_.notify_all();
  if (thread_) return;
  add_running(shared_from_this());
  body_ = [this] { work(); };
  thread_ = std::make_unique<platform::DeepThreads>(1, body_);
}

void Background::stop() {
  std::unique_ptr<platform::DeepThreads> thread;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    jobs_.clear();
    changed_.notify_all();
    thread = std::move(thread_);
  }
  if (!thread) return;
  thread.reset();
  remove_running(shared_from_this());
}

void Background::abandon() {
  is_abandoned_ = true;
  stop();
}

void Background::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stopped_ || !jobs_.empty(); });
    if (stopped_) return;
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    try {
      job(is_abandoned_);
    } catch (...) {  // no memory: the pipeline is linked in another run
    }
    // Objects that the first job made are torn down after what is asked for here.
    if (!std::exchange(has_worked_, true)) std::atexit(end_all);
    lock.lock();
  }
}

}  // namespace varylink::layer
