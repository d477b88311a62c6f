#include "verify/worker.h"

#include <string>
#include <utility>

#include "platform/program.h"
#include "verify/driver_process.h"
#include "verify/wire.h"

namespace varylink::verify {
namespace {

constexpr const char* kRole = "--draw-for-parent";

Result<std::string> open(std::optional<Device>& device) {
  // Nearly all time goes into lavapipe's code generation. Without LLVM's optimizations and with narrow vectors it takes
  // a quarter of the time, and the arithmetic is the same. What the user has set stays.
  platform::set_default("GALLIVM_PERF", "nopt");
  platform::set_default("LP_NATIVE_VECTOR_WIDTH", "128");
  Result<Device> made = Device::create();
  if (!made) return made.error();
  device = std::move(*made);
  return device->description();
}

}  // namespace

struct Worker::Child : DriverProcess {
  Child() : DriverProcess(kRole) {}
};

bool Worker::serve_parent(int count, char** values) {
  std::optional<Device> device;
  const auto answer = [&](const Bytes& bytes) -> std::optional<Bytes> {
    const std::optional<Request> request = decode_request(bytes);
    if (!request) return std::nullopt;
    return encode(verify::compare(*device, request->original, request->linked, request->options));
  };
  return verify::serve_parent(kRole, count, values, {[&] { return open(device); }, answer});
}

Worker::Worker(std::unique_ptr<Child> child) : child_(std::move(child)) {}
Worker::Worker(Worker&&) noexcept = default;
Worker& Worker::operator=(Worker&&) noexcept = default;
Worker::~Worker() = default;
const std::string& Worker::description() const { return child_->description(); }

Result<Worker> Worker::start() {
  auto child = std::make_unique<Child>();
  if (const Result<void> started = child->start(); !started) return started.error();
  return Worker(std::move(child));
}

Comparison Worker::compare(const std::vector<link::StageInput>& original, const std::vector<link::StageInput>& linked,
                           const VerifyOptions& options) {
  const auto ask = [&](const auto& before, const auto& after, const VerifyOptions& how) {
    Answer answer;
    const Result<Bytes> bytes = child_->ask(encode(Request{before, after, how}), how.time_limit_s, "picture");
    answer.has_crashed = child_->has_crashed();
    if (!bytes)
      answer.comparison.reason = bytes.error().message;
    else if (std::optional<Comparison> comparison = decode_comparison(*bytes))
      answer.comparison = std::move(*comparison);
    else
      answer.comparison.reason = "the drawing process gave no answer that can be read";
    return answer;
  };
  return compare_and_tell_crashes(ask, original, linked, options);
}

Comparison compare_and_tell_crashes(const Compare& compare, const std::vector<link::StageInput>& original,
                                    const std::vector<link::StageInput>& linked, const VerifyOptions& options) {
  Answer answer = compare(original, linked, options);
  if (!answer.has_crashed) return std::move(answer.comparison);
  VerifyOptions without_pictures = options;
  without_pictures.png_folder.clear();
  const Answer alone = compare(original, original, without_pictures);
  if (alone.has_crashed || alone.comparison.verdict == Verdict::not_run) return std::move(answer.comparison);
  // A process may also be ended from outside, which does not happen twice.
  Answer again = compare(original, linked, options);
  if (!again.has_crashed) return std::move(again.comparison);
  answer.comparison.verdict = Verdict::different;
  answer.comparison.reason = "the original can be drawn, with the linked pipeline " + answer.comparison.reason;
  return std::move(answer.comparison);
}

}  // namespace varylink::verify
