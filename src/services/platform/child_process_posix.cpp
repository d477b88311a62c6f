#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include <cerrno>
#include <csignal>
#include <cstring>

#include "platform/child_process.h"

extern char** environ;

namespace varylink::platform {
namespace {

constexpr int kChildDescriptor = 3;  // of its end of the channel

std::string this_program() {
#ifdef __APPLE__
  std::string path(4096, '\0');
  auto size = static_cast<std::uint32_t>(path.size());
  return _NSGetExecutablePath(path.data(), &size) == 0 ? std::string(path.c_str()) : std::string();
#else
  return "/proc/self/exe";
#endif
}

// How a process ended, in words.
std::string describe_end(int status) {
  if (WIFSIGNALED(status)) {
    const char* name = strsignal(WTERMSIG(status));
    return "signal " + std::to_string(WTERMSIG(status)) + (name == nullptr ? "" : std::string(" (") + name + ")");
  }
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

int set_no_sigpipe([[maybe_unused]] int socket) {
#ifdef SO_NOSIGPIPE
  const int on = 1;
  return setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#else
  return 0;
#endif
}

#ifdef MSG_NOSIGNAL
constexpr int kSendFlags = MSG_NOSIGNAL;
#else
constexpr int kSendFlags = 0;
#endif

}  // namespace

bool Channel::send(const std::byte* from, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = ::send(static_cast<int>(handle_), from, size, kSendFlags);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    from += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

Receipt Channel::receive(std::byte* to, std::size_t size, const std::optional<Clock::time_point>& deadline) {
  while (size > 0) {
    int wait_ms = -1;
    if (deadline) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline - Clock::now()).count();
      if (left <= 0) return Receipt::timed_out;
      wait_ms = static_cast<int>(left);
    }
    pollfd waiting{static_cast<int>(handle_), POLLIN, 0};
    const int ready = poll(&waiting, 1, wait_ms);
    if (ready == 0) return Receipt::timed_out;
    if (ready < 0 && errno == EINTR) continue;
    const ssize_t got = ready < 0 ? -1 : recv(static_cast<int>(handle_), to, size, 0);
    if (got <= 0) return Receipt::closed;
    to += got;
    size -= static_cast<std::size_t>(got);
  }
  return Receipt::complete;
}

void Channel::close() {
  if (const std::intptr_t handle = std::exchange(handle_, kNone); handle != kNone) ::close(static_cast<int>(handle));
}

struct ChildProcess::Process {
  pid_t id = -1;
};

ChildProcess::ChildProcess() : process_(std::make_unique<Process>()) {}
ChildProcess::~ChildProcess() { end(); }
bool ChildProcess::is_running() const { return process_->id > 0; }

bool ChildProcess::start(const std::string& role) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
  Channel ours(ends[0]), theirs(ends[1]);
  for (const int end : ends)
    if (fcntl(end, F_SETFD, FD_CLOEXEC) != 0 || set_no_sigpipe(end) != 0) return false;
  std::string program = this_program(), argument = role;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], kChildDescriptor);  // which is then not closed by exec
  const int error = posix_spawn(&process_->id, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return process_->id = -1, false;
  channel_ = std::move(ours);
  return true;
}

std::string ChildProcess::end() {
  channel_.close();
  if (!is_running()) return "it was not running";
  int status = 0;
  // A child that crashed is about to become a zombie; one that hangs has to be killed.
  pid_t ended = 0;
  for (int tries = 0; tries < 20 && ended == 0; ++tries) {
    ended = waitpid(process_->id, &status, WNOHANG);
    if (ended == 0) usleep(5000);
  }
  if (ended == 0) {
    kill(process_->id, SIGKILL);
    waitpid(process_->id, &status, 0);
  }
  process_->id = -1;
  return describe_end(status);
}

std::optional<Channel> channel_to_parent(const std::string& role, int count, char** values) {
  if (count != 2 || values[1] != role) return std::nullopt;
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  for (const int deadly : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) std::signal(deadly, SIG_DFL);
  fcntl(kChildDescriptor, F_SETFD, FD_CLOEXEC);
  return Channel(kChildDescriptor);
}

}  // namespace varylink::platform
