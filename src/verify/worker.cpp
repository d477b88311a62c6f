#include "verify/worker.h"

#include <string>
#include <utility>

#include "platform/program.h"
#include "verify/wire.h"

namespace varylink::verify {
namespace {

constexpr const char* kRole = "--draw-for-parent";  // the first argument of a child
constexpr double kStartSeconds = 60;                // loading a driver, once per child

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

// The child's whole life: says "+<device>" or "-<error>", then answers requests until the other end closes.
void serve(platform::Channel& parent) {
  // Nearly all time goes into lavapipe's code generation. Without LLVM's optimizations and with narrow vectors it takes
  // a quarter of the time, and the arithmetic is the same. What the user has set stays.
  platform::set_default("GALLIVM_PERF", "nopt");
  platform::set_default("LP_NATIVE_VECTOR_WIDTH", "128");
  Result<Device> device = Device::create();
  if (!device) {
    send_message(parent, bytes_of("-" + device.error().message));
    return;
  }
  if (!send_message(parent, bytes_of("+" + device->description()))) return;
  std::vector<std::byte> bytes;
  while (receive_message(parent, -1, bytes) == Receipt::complete) {
    const std::optional<Request> request = decode_request(bytes);
    if (!request) return;
    const Comparison answer = compare(*device, request->original, request->linked, request->options);
    if (!send_message(parent, encode(answer))) return;
  }
}

Comparison not_drawn(std::string reason) {
  Comparison result;
  result.reason = std::move(reason);
  return result;
}

}  // namespace

struct Worker::Child {
  platform::ChildProcess process;
  std::string description;

  Result<void> start();
};

Result<void> Worker::Child::start() {
  if (!process.start(kRole)) return make_error(ErrorKind::io, {}, "cannot start the drawing process");
  std::vector<std::byte> bytes;
  if (receive_message(process.channel(), kStartSeconds, bytes) != Receipt::complete || bytes.empty())
    return make_error(ErrorKind::usage, {}, "the Vulkan driver does not start (" + process.end() + ")");
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.front() == '-') return make_error(ErrorKind::usage, {}, text.substr(1));
  description = text.substr(1);
  return {};
}

bool Worker::serve_parent(int count, char** values) {
  std::optional<platform::Channel> parent = platform::channel_to_parent(kRole, count, values);
  if (parent) serve(*parent);
  return parent.has_value();
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
  if (!child_->process.is_running())
    if (const Result<void> started = child_->start(); !started) return not_drawn(started.error().message);
  std::vector<std::byte> bytes;
  Receipt receipt = Receipt::closed;
  if (send_message(child_->process.channel(), encode(Request{original, linked, options})))
    receipt = receive_message(child_->process.channel(), options.time_limit_s, bytes);
  if (receipt == Receipt::complete)
    if (std::optional<Comparison> answer = decode_comparison(bytes)) return std::move(*answer);
  const std::string how = child_->process.end();
  if (receipt == Receipt::timed_out)
    return not_drawn("the driver gave no picture within " + std::to_string(static_cast<int>(options.time_limit_s)) +
                     " s");
  return not_drawn("the driver crashed: " + how);
}

}  // namespace varylink::verify
