// This program once more, as a child that answers over a channel.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace varylink::platform {

enum class Receipt { complete, closed, timed_out };

// One end of a two-way stream of bytes. Closes it when it goes.
class Channel {
 public:
  using Clock = std::chrono::steady_clock;

  Channel() = default;
  // Takes over a socket or a HANDLE.
  explicit Channel(std::intptr_t handle) : handle_(handle) {}
  Channel(Channel&& other) noexcept : handle_(std::exchange(other.handle_, kNone)) {}
  Channel& operator=(Channel&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel() { close(); }

  std::intptr_t handle() const { return handle_; }
  // False if the other end is gone.
  bool send(const std::byte* from, std::size_t size);
  // Exactly `size` bytes before `deadline` (none: waits for ever). Only the parent's end takes a deadline.
  Receipt receive(std::byte* to, std::size_t size, const std::optional<Clock::time_point>& deadline);
  void close();

 private:
  static constexpr std::intptr_t kNone = -1;
  std::intptr_t handle_ = kNone;
};

using Bytes = std::vector<std::byte>;

// Messages over a channel: a length and the bytes. False if the other end is gone.
bool send_message(Channel& channel, const Bytes& bytes);
// Receives one message of send_message, all of it before `deadline`.
Receipt receive_message(Channel& channel, const std::optional<Channel::Clock::time_point>& deadline, Bytes& bytes);

// Ends its child when it goes; whatever becomes of this process, the child does not outlive it.
class ChildProcess {
 public:
  ChildProcess();
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Starts the program of this process with `role` as its first argument. False if the system does not let it. main()
  // must look for that with channel_to_parent.
  bool start(const std::string& role);
  bool is_running() const;
  Channel& channel() { return channel_; }
  // Kills the child if it runs; says how it ended, as "signal 11 (Segmentation fault)".
  std::string end();

 private:
  struct Process;
  std::unique_ptr<Process> process_;
  Channel channel_;
};

// The channel to the process that started this one as `role`; none if it was started otherwise. Arranges for this
// process to end with its parent, and to die of its faults without a dialog. `count` and `values` as main() gets them.
std::optional<Channel> channel_to_parent(const std::string& role, int count, char** values);

}  // namespace varylink::platform
