// Another program on the terminal of this one.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace varylink::platform {

struct ProgramEnd {
  int error = 0;   // errno value; not 0: it could not be started
  int status = 0;  // its exit status, as a shell has it: 128 + the number of a signal that ended it
};

// Runs words[0], which is looked for as a shell does, with the other words as arguments, with the standard streams of
// this process and with `variables` set besides those of its environment; waits for its end. SIGINT, SIGQUIT, SIGTERM,
// SIGHUP, SIGUSR1 and SIGUSR2 that are sent to this process meanwhile go to the program; those of a terminal it gets by
// itself. For a process that has one thread. `meanwhile`, if given, is called twice a second until the end, where the
// system can wait for signals and time at once. On Windows ENOSYS.
ProgramEnd run_program(const std::vector<std::string>& words,
                       const std::vector<std::pair<std::string, std::string>>& variables,
                       const std::function<void()>& meanwhile = {});

}  // namespace varylink::platform
