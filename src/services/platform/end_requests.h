// Ctrl-C and other requests to end, which come while something must not be torn apart.
#pragma once

namespace varylink::platform {

// While one of these lives, SIGINT, SIGTERM and SIGHUP (on Windows Ctrl-C, Ctrl-Break, and the window being closed) do
// not end the process; one that came ends it when the last one is gone. Signals that the process ignores stay ignored.
// Any number of threads may hold one, and one thread several.
class HoldEndRequests {
 public:
  HoldEndRequests();
  ~HoldEndRequests();
  HoldEndRequests(const HoldEndRequests&) = delete;
  HoldEndRequests& operator=(const HoldEndRequests&) = delete;
};

}  // namespace varylink::platform
