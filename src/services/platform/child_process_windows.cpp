#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "platform/child_process.h"
#include "platform/program.h"
#include "platform/windows_text.h"

namespace varylink::platform {
namespace {

constexpr DWORD kPipeBytes = 1 << 16;
constexpr DWORD kMostBytes = 1 << 30;  // of one read or write
constexpr DWORD kEndedByUs = 0xC000013A;

HANDLE as_handle(std::intptr_t value) { return reinterpret_cast<HANDLE>(value); }
std::intptr_t as_value(HANDLE handle) { return reinterpret_cast<std::intptr_t>(handle); }

// Both ends of a two-way pipe; the second can be inherited. The first one reads and writes beside the caller, which is
// what lets it stop waiting.
bool make_pipe(Channel& ours, Channel& theirs) {
  static std::atomic<unsigned> number{0};
  const std::wstring name =
      wide(R"(\\.\pipe\varylink-)" + std::to_string(process_id()) + "-" + std::to_string(number++));
  const HANDLE first =
      CreateNamedPipeW(name.c_str(), PIPE_ACCESS_DUPLEX | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
                       PIPE_TYPE_BYTE | PIPE_REJECT_REMOTE_CLIENTS, 1, kPipeBytes, kPipeBytes, 0, nullptr);
  if (first == INVALID_HANDLE_VALUE) return false;
  ours = Channel(as_value(first));
  SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
  const HANDLE second = CreateFileW(name.c_str(), GENERIC_READ | GENERIC_WRITE, 0, &inherited, OPEN_EXISTING,
                                    FILE_FLAG_OVERLAPPED, nullptr);
  theirs = Channel(as_value(second));
  return second != INVALID_HANDLE_VALUE;
}

// One read or write with an end to the waiting.
class Transfer {
 public:
  Transfer() { state_.hEvent = CreateEventW(nullptr, TRUE, FALSE, nullptr); }
  ~Transfer() { CloseHandle(state_.hEvent); }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  OVERLAPPED* state() { return &state_; }
  // `started` is what ReadFile or WriteFile returned. Sets `count` to the bytes that came through.
  Receipt wait(HANDLE file, BOOL started, DWORD wait_ms, DWORD& count) {
    if (started == 0 && GetLastError() != ERROR_IO_PENDING) return Receipt::closed;
    const bool late = WaitForSingleObject(state_.hEvent, wait_ms) == WAIT_TIMEOUT;
    if (late) CancelIo(file);
    const bool done = GetOverlappedResult(file, &state_, &count, TRUE) != 0 && count > 0;
    return done ? Receipt::complete : late ? Receipt::timed_out : Receipt::closed;
  }

 private:
  OVERLAPPED state_{};
};

std::wstring program_of_this_process() {
  std::wstring path(32768, L'\0');  // the longest that Windows knows
  path.resize(GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return path;
}

// CreateProcess with one handle to inherit and no other.
bool start_process(std::wstring command, HANDLE inherited, PROCESS_INFORMATION& process) {
  SIZE_T size = 0;
  InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
  std::vector<std::byte> storage(size);
  auto* list = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(storage.data());
  if (InitializeProcThreadAttributeList(list, 1, 0, &size) == 0) return false;
  STARTUPINFOEXW start{};
  start.StartupInfo.cb = sizeof start;
  start.lpAttributeList = list;
  const bool started = UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, &inherited,
                                                 sizeof inherited, nullptr, nullptr) != 0 &&
                       CreateProcessW(program_of_this_process().c_str(), command.data(), nullptr, nullptr, TRUE,
                                      EXTENDED_STARTUPINFO_PRESENT | CREATE_SUSPENDED, nullptr, nullptr,
                                      &start.StartupInfo, &process) != 0;
  DeleteProcThreadAttributeList(list);
  return started;
}

// A job that ends its processes when the last handle to it is gone, which this process holds.
HANDLE make_job() {
  const HANDLE job = CreateJobObjectW(nullptr, nullptr);
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
  return job;
}

std::string in_words(DWORD status) {
  if (status < 0x80000000) return "exit status " + std::to_string(status);
  char text[32];
  std::snprintf(text, sizeof text, "exception 0x%08lX", static_cast<unsigned long>(status));
  return text;
}

}  // namespace

bool Channel::send(const std::byte* from, std::size_t size) {
  while (size > 0) {
    Transfer transfer;
    DWORD count = 0;
    const auto part = static_cast<DWORD>(std::min<std::size_t>(size, kMostBytes));
    const BOOL started = WriteFile(as_handle(handle_), from, part, nullptr, transfer.state());
    if (transfer.wait(as_handle(handle_), started, INFINITE, count) != Receipt::complete) return false;
    from += count;
    size -= count;
  }
  return true;
}

Receipt Channel::receive(std::byte* to, std::size_t size, const std::optional<Clock::time_point>& deadline) {
  while (size > 0) {
    DWORD wait_ms = INFINITE, count = 0;
    if (deadline) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline - Clock::now()).count();
      if (left <= 0) return Receipt::timed_out;
      wait_ms = static_cast<DWORD>(std::min<std::int64_t>(left, INFINITE - 1));
    }
    Transfer transfer;
    const auto part = static_cast<DWORD>(std::min<std::size_t>(size, kMostBytes));
    const BOOL started = ReadFile(as_handle(handle_), to, part, nullptr, transfer.state());
    const Receipt receipt = transfer.wait(as_handle(handle_), started, wait_ms, count);
    if (receipt != Receipt::complete) return receipt;
    to += count;
    size -= count;
  }
  return Receipt::complete;
}

void Channel::close() {
  if (const std::intptr_t handle = std::exchange(handle_, kNone); handle != kNone) CloseHandle(as_handle(handle));
}

struct ChildProcess::Process {
  HANDLE handle = nullptr;
  HANDLE job = make_job();
  ~Process() { CloseHandle(job); }
};

ChildProcess::ChildProcess() : process_(std::make_unique<Process>()) {}
ChildProcess::~ChildProcess() { end(); }
bool ChildProcess::is_running() const { return process_->handle != nullptr; }

bool ChildProcess::start(const std::string& role) {
  Channel ours, theirs;
  if (!make_pipe(ours, theirs)) return false;
  const HANDLE inherited = as_handle(theirs.handle());
  const std::wstring command = L"varylink " + wide(role) + L" " + std::to_wstring(theirs.handle());
  PROCESS_INFORMATION started{};
  if (!start_process(command, inherited, started)) return false;
  AssignProcessToJobObject(process_->job, started.hProcess);
  ResumeThread(started.hThread);
  CloseHandle(started.hThread);
  process_->handle = started.hProcess;
  channel_ = std::move(ours);
  return true;
}

std::string ChildProcess::end() {
  constexpr DWORD kPatienceMs = 100;
  channel_.close();
  if (!is_running()) return "it was not running";
  if (WaitForSingleObject(process_->handle, kPatienceMs) == WAIT_TIMEOUT) {
    TerminateProcess(process_->handle, kEndedByUs);
    WaitForSingleObject(process_->handle, INFINITE);
  }
  DWORD status = 0;
  GetExitCodeProcess(process_->handle, &status);
  CloseHandle(std::exchange(process_->handle, nullptr));
  return in_words(status);
}

std::optional<Channel> channel_to_parent(const std::string& role, int count, char** values) {
  if (count != 3 || values[1] != role) return std::nullopt;
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
  const auto handle = static_cast<std::intptr_t>(std::strtoll(values[2], nullptr, 10));
  SetHandleInformation(as_handle(handle), HANDLE_FLAG_INHERIT, 0);
  return Channel(handle);
}

}  // namespace varylink::platform
