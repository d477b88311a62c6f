#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <condition_variable>
#include <mutex>

#include "platform/end_requests.h"

namespace varylink::platform {
namespace {

// Never destroyed: the thread of a request may outlive main().
struct Holders {
  std::mutex mutex;
  std::condition_variable nobody;
  int count = 0;
  bool ending = false;
};

Holders& holders() {
  static auto* all = new Holders;
  return *all;
}

thread_local int held_by_thread = 0;

// Windows calls this on a thread of its own. FALSE lets the next handler have it, which ends the process.
BOOL WINAPI on_request(DWORD) {
  std::unique_lock lock(holders().mutex);
  holders().ending = true;
  holders().nobody.wait(lock, [] { return holders().count == 0; });
  return FALSE;
}

}  // namespace

HoldEndRequests::HoldEndRequests() {
  if (held_by_thread++ > 0) return;  // whoever holds them already goes on until the end
  static std::once_flag once;
  std::call_once(once, [] { SetConsoleCtrlHandler(on_request, TRUE); });
  std::unique_lock lock(holders().mutex);
  if (!holders().ending) {
    ++holders().count;
    return;
  }
  lock.unlock();
  while (true) Sleep(INFINITE);  // until the process has ended
}

HoldEndRequests::~HoldEndRequests() {
  if (--held_by_thread > 0) return;
  const std::lock_guard lock(holders().mutex);
  if (--holders().count == 0) holders().nobody.notify_all();
}

}  // namespace varylink::platform
