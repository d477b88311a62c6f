// Work that the program does not wait for.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "platform/threads.h"

namespace varylink::layer {

// Does one job after the other on a thread with a deep stack, which begins with the first. A program that ends without
// destroying its device does not end while the thread is at work: the job in hand is told to stop.
class Background : public std::enable_shared_from_this<Background> {
 public:
  // `is_abandoned`: the result is not wanted any more.
  using Job = std::function<void(const std::atomic<bool>& is_abandoned)>;

  Background() = default;
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // Jobs may throw, and that is all. Dropped: too many wait already, the thread was stopped, or there is none to be
  // had.
  void add(Job job);
  // To be called before the object goes. Waits for the job in hand; those behind it are dropped. May be called again.
  void stop();
  // The same, and the job in hand is told to stop.
  void abandon();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool stopped_ = false;
  std::atomic<bool> is_abandoned_{false};
  bool has_worked_ = false;
  std::function<void()> body_;
  std::unique_ptr<platform::DeepThreads> thread_;
};

}  // namespace varylink::layer
