#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "platform/captured_program.h"

extern char** environ;

namespace varylink::platform {
namespace {

constexpr int kEndedBySignal = 255;

std::string read_all(int from) {
  std::string text;
  char buffer[4096];
  for (ssize_t size = 0; (size = ::read(from, buffer, sizeof buffer)) != 0;) {
    if (size < 0 && errno != EINTR) break;
    if (size > 0) text.append(buffer, static_cast<std::size_t>(size));
  }
  return text;
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return kEndedBySignal;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kEndedBySignal;
}

}  // namespace

CapturedEnd run_captured(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  CapturedEnd end;
  int ends[2];
  if (::pipe(ends) != 0) return {errno, 0, {}};
  for (const int one : ends) ::fcntl(one, F_SETFD, FD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  pid_t child = -1;
  end.error = ::posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (end.error == 0) {
    end.output = read_all(ends[0]);
    end.status = wait_for(child);
  }
  ::close(ends[0]);
  return end;
}

}  // namespace varylink::platform
