#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "platform/run_program.h"

extern char** environ;

namespace varylink::platform {
namespace {

constexpr int kPassedOn[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
constexpr int kOfSignal = 128, kNotKnown = 255;

sigset_t waited_for() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kPassedOn) sigaddset(&set, signal);
  sigaddset(&set, SIGCHLD);
  return set;
}

// The next of these signals, and whether it is for this process alone: one that a terminal sends, the program has, too.
// With `soon` no signal (0 or less) after half a second.
std::pair<int, bool> next_signal(const sigset_t& set, [[maybe_unused]] bool soon) {
#ifdef __APPLE__
  int signal = 0;
  return sigwait(&set, &signal) == 0 ? std::pair(signal, true) : std::pair(0, false);
#else
  siginfo_t info = {};
  constexpr timespec kHalfASecond = {0, 500'000'000};
  const int signal = soon ? sigtimedwait(&set, &info, &kHalfASecond) : sigwaitinfo(&set, &info);
  return {signal, info.si_code <= 0};
#endif
}

int wait_for(pid_t child, const sigset_t& set, const std::function<void()>& meanwhile) {
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child && WIFSIGNALED(status)) return kOfSignal + WTERMSIG(status);
    if (ended == child) return WEXITSTATUS(status);
    if (ended < 0 && errno != EINTR) return kNotKnown;
    const bool has_work = static_cast<bool>(meanwhile);
    if (const auto [signal, is_ours] = next_signal(set, has_work); signal > 0 && signal != SIGCHLD && is_ours)
      ::kill(child, signal);
    if (has_work) meanwhile();
  }
}

}  // namespace

ProgramEnd run_program(const std::vector<std::string>& words,
                       const std::vector<std::pair<std::string, std::string>>& variables,
                       const std::function<void()>& meanwhile) {
  for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  // Blocked, they wait until somebody asks for them; the program begins as it would without this one.
  const sigset_t set = waited_for();
  ::signal(SIGCHLD, SIG_DFL);  // whoever started this process may have had no use for it
  sigset_t before;
  sigprocmask(SIG_BLOCK, &set, &before);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &before);
  pid_t child = -1;
  ProgramEnd end;
  end.error = posix_spawnp(&child, arguments.front(), nullptr, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (end.error == 0) end.status = wait_for(child, set, meanwhile);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return end;
}

}  // namespace varylink::platform
