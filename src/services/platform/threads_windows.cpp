#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <process.h>
#include <windows.h>

#include <algorithm>
#include <bit>
#include <thread>

#include "platform/threads.h"

namespace varylink::platform {
namespace {

unsigned __stdcall run_body(void* body) {
  (*static_cast<const std::function<void()>*>(body))();
  return 0;
}

}  // namespace

std::size_t processors() {
  DWORD_PTR allowed = 0, present = 0;
  // Of several groups of processors, which machines with more than 64 have, this tells nothing.
  if (GetActiveProcessorGroupCount() == 1 && GetProcessAffinityMask(GetCurrentProcess(), &allowed, &present) != 0)
    return static_cast<std::size_t>(std::max(1, std::popcount(static_cast<std::uint64_t>(allowed))));
  return std::max(1u, std::thread::hardware_concurrency());
}

struct DeepThreads::Threads {
  std::vector<std::uintptr_t> started;
};

DeepThreads::DeepThreads(std::size_t count, const std::function<void()>& body, std::size_t stack_bytes)
    : threads_(std::make_unique<Threads>()) {
  threads_->started.reserve(count);
  void* argument = const_cast<std::function<void()>*>(&body);
  while (this->count() < count) {
    const std::uintptr_t thread = _beginthreadex(nullptr, static_cast<unsigned>(stack_bytes), run_body, argument,
                                                 STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr);
    if (thread == 0) return;
    threads_->started.push_back(thread);
  }
}

DeepThreads::~DeepThreads() {
  for (const std::uintptr_t thread : threads_->started) {
    WaitForSingleObject(reinterpret_cast<HANDLE>(thread), INFINITE);
    CloseHandle(reinterpret_cast<HANDLE>(thread));
  }
}

std::size_t DeepThreads::count() const { return threads_->started.size(); }

bool has_deep_stack() {
  ULONG_PTR low = 0, high = 0;
  GetCurrentThreadStackLimits(&low, &high);
  const char here = 0;
  const auto address = reinterpret_cast<ULONG_PTR>(&here);
  return address >= low && address < high && address - low >= DeepThreads::kStackBytes / 4 * 3;
}

}  // namespace varylink::platform
