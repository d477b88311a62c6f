#include "verify/driver_process.h"

#include <chrono>

#include "platform/program.h"

namespace varylink::verify {
namespace {

using platform::Receipt;

constexpr double kStartSeconds = 60;  // loading a driver, once per child

Bytes bytes_of(const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

// None: for ever.
std::optional<platform::Channel::Clock::time_point> in_seconds(double seconds) {
  using Clock = platform::Channel::Clock;
  if (seconds < 0) return std::nullopt;
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

Result<void> DriverProcess::start() {
  if (process_.is_running()) return {};
  if (!process_.start(role_)) return make_error(ErrorKind::io, {}, "cannot start the process of the Vulkan driver");
  Bytes bytes;
  if (receive_message(process_.channel(), in_seconds(kStartSeconds), bytes) != Receipt::complete || bytes.empty())
    return make_error(ErrorKind::usage, {}, "the Vulkan driver does not start (" + process_.end() + ")");
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.front() == '-') return make_error(ErrorKind::usage, {}, text.substr(1));
  description_ = text.substr(1);
  return {};
}

Result<Bytes> DriverProcess::ask(const Bytes& request, double seconds, const std::string& what) {
  has_crashed_ = false;
  if (const Result<void> started = start(); !started) return started.error();
  Bytes answer;
  Receipt receipt = Receipt::closed;
  if (send_message(process_.channel(), request))
    receipt = receive_message(process_.channel(), in_seconds(seconds), answer);
  if (receipt == Receipt::complete) return answer;
  const std::string how = process_.end();
  has_crashed_ = receipt != Receipt::timed_out;
  if (has_crashed_) return make_error(ErrorKind::usage, {}, "the driver crashed: " + how);
  return make_error(ErrorKind::usage, {},
                    "the driver gave no " + what + " within " + std::to_string(static_cast<int>(seconds)) + " s");
}

bool serve_parent(const std::string& role, int count, char** values, const DriverService& service) {
  std::optional<platform::Channel> parent = platform::channel_to_parent(role, count, values);
  if (!parent) return false;
  const Result<std::string> opened = service.open();
  if (!send_message(*parent, bytes_of(opened ? "+" + *opened : "-" + opened.error().message)) || !opened) return true;
  Bytes bytes;
  while (receive_message(*parent, std::nullopt, bytes) == Receipt::complete) {
    const std::optional<Bytes> answer = service.answer(bytes);
    if (!answer || !send_message(*parent, *answer)) break;
  }
  return true;
}

}  // namespace varylink::verify
