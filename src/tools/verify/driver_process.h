// A child process that loads a Vulkan driver and answers one request after the other. It is started again when the
// driver crashed or hung in it.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "platform/child_process.h"
#include "verify/archive.h"

namespace varylink::verify {

class DriverProcess {
 public:
  // `role`: the first argument of the child, for serve_parent.
  explicit DriverProcess(std::string role) : role_(std::move(role)) {}

  // Starts the child unless it runs, and waits until it has a device. Error (usage): the message of the child.
  Result<void> start();
  // The device, in words; of the last child.
  const std::string& description() const { return description_; }

  // The answer to a request. Error (usage): the driver crashed, or took longer than `seconds`; `what` it had to give.
  Result<Bytes> ask(const Bytes& request, double seconds, const std::string& what);
  // The driver crashed with the last request.
  bool has_crashed() const { return has_crashed_; }

 private:
  std::string role_;
  platform::ChildProcess process_;
  std::string description_;
  bool has_crashed_ = false;
};

// The work of a child: opens the device and says which one it is, then answers.
struct DriverService {
  std::function<Result<std::string>()> open;
  std::function<std::optional<Bytes>(const Bytes&)> answer;  // none: not a request
};

// The whole life of a child that was started as `role`, until its parent goes. False if this process is none. To be
// called first thing in main(), whose arguments it takes.
bool serve_parent(const std::string& role, int count, char** values, const DriverService& service);

}  // namespace varylink::verify
