#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <mutex>

#include "platform/end_requests.h"

namespace varylink::platform {
namespace {

// Both are read and written in one order by all threads: either the handler sees who is inside, or whoever comes in
// sees the signal.
std::atomic<int> inside{0};
std::atomic<int> pending_signal{0};
thread_local int held_here = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler uses it");

void end_by(int signal) {
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void on_signal(int signal) {
  pending_signal = signal;
  if (inside == 0) end_by(signal);
}

void install() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
  }
}

void leave() {
  if (--inside == 0 && pending_signal != 0) end_by(pending_signal);
}

}  // namespace

HoldEndRequests::HoldEndRequests() {
  if (held_here++ > 0) return;  // whoever holds them already goes on until the end
  static std::once_flag once;
  std::call_once(once, install);
  ++inside;
  if (pending_signal == 0) return;
  leave();
  while (true) ::pause();  // until another thread has ended the process
}

HoldEndRequests::~HoldEndRequests() {
  if (--held_here == 0) leave();
}

}  // namespace varylink::platform
