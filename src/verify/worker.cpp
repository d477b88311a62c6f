#include "verify/worker.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "verify/wire.h"

namespace varylink::verify {
namespace {

constexpr double kStartSeconds = 60;  // loading a driver, once per child

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

// The child's whole life: says "+<device>" or "-<error>", then answers requests until the other end closes.
void serve(int file) {
  // Nearly all time goes into lavapipe's code generation. Without LLVM's optimizations and with narrow vectors it takes
  // a quarter of the time, and the arithmetic is the same. What the user has set stays.
  setenv("GALLIVM_PERF", "nopt", 0);
  setenv("LP_NATIVE_VECTOR_WIDTH", "128", 0);
  Result<Device> device = Device::create();
  if (!device) {
    send_message(file, bytes_of("-" + device.error().message));
    return;
  }
  if (!send_message(file, bytes_of("+" + device->description()))) return;
  std::vector<std::byte> bytes;
  while (receive_message(file, -1, bytes) == Receipt::complete) {
    const std::optional<Request> request = decode_request(bytes);
    if (!request) return;
    const Comparison answer = compare(*device, request->original, request->linked, request->options);
    if (!send_message(file, encode(answer))) return;
  }
}

// How a process ended, in words.
std::string describe_end(int status) {
  if (WIFSIGNALED(status)) {
    const char* name = strsignal(WTERMSIG(status));
    return "signal " + std::to_string(WTERMSIG(status)) + (name == nullptr ? "" : std::string(" (") + name + ")");
  }
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

Comparison not_drawn(std::string reason) {
  Comparison result;
  result.reason = std::move(reason);
  return result;
}

}  // namespace

struct Worker::Child {
  pid_t process = -1;
  int file = -1;
  std::string description;

  Child() = default;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { end(); }

  Result<void> start();
  // Kills the child if it runs; says how it ended.
  std::string end();
};

Result<void> Worker::Child::start() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return make_error(ErrorKind::io, {}, "cannot make a socket for the drawing process");
  const pid_t forked = fork();
  if (forked < 0) {
    close(ends[0]);
    close(ends[1]);
    return make_error(ErrorKind::io, {}, "cannot start the drawing process");
  }
  if (forked == 0) {
    close(ends[0]);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // whatever happens to the parent, no drawing process stays behind
#endif
    for (const int deadly : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) std::signal(deadly, SIG_DFL);
    serve(ends[1]);
    _exit(0);  // not exit(): the parent's buffers and atexit handlers are not ours
  }
  close(ends[1]);
  process = forked;
  file = ends[0];

  std::vector<std::byte> bytes;
  if (receive_message(file, kStartSeconds, bytes) != Receipt::complete || bytes.empty())
    return make_error(ErrorKind::usage, {}, "the Vulkan driver does not start (" + end() + ")");
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.front() == '-') return make_error(ErrorKind::usage, {}, text.substr(1));
  description = text.substr(1);
  return {};
}

std::string Worker::Child::end() {
  std::string how = "it was not running";
  if (file >= 0) close(file);
  file = -1;
  if (process <= 0) return how;
  int status = 0;
  // A child that crashed is about to become a zombie; one that hangs has to be killed.
  pid_t ended = 0;
  for (int tries = 0; tries < 20 && ended == 0; ++tries) {
    ended = waitpid(process, &status, WNOHANG);
    if (ended == 0) usleep(5000);
  }
  if (ended == 0) {
    kill(process, SIGKILL);
    waitpid(process, &status, 0);
  }
  process = -1;
  return describe_end(status);
}

Worker::Worker(std::unique_ptr<Child> child) : child_(std::move(child)) {}
Worker::Worker(Worker&&) noexcept = default;
Worker& Worker::operator=(Worker&&) noexcept = default;
Worker::~Worker() = default;
const std::string& Worker::description() const { return child_->description; }

Result<Worker> Worker::start() {
  auto child = std::make_unique<Child>();
  if (const Result<void> started = child->start(); !started) return started.error();
  return Worker(std::move(child));
}

Comparison Worker::compare(const std::vector<link::StageInput>& original, const std::vector<link::StageInput>& linked,
                           const VerifyOptions& options) {
  if (child_->process < 0)
    if (const Result<void> started = child_->start(); !started) return not_drawn(started.error().message);
  std::vector<std::byte> bytes;
  Receipt receipt = Receipt::closed;
  if (send_message(child_->file, encode(Request{original, linked, options})))
    receipt = receive_message(child_->file, options.time_limit_s, bytes);
  if (receipt == Receipt::complete)
    if (std::optional<Comparison> answer = decode_comparison(bytes)) return std::move(*answer);
  const std::string how = child_->end();
  if (receipt == Receipt::timed_out)
    return not_drawn("the driver gave no picture within " + std::to_string(static_cast<int>(options.time_limit_s)) +
                     " s");
  return not_drawn("the driver crashed: " + how);
}

}  // namespace varylink::verify
