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

// Writes a length and the bytes. False if the other end is gone.
bool send_message(platform::Channel& channel, const Bytes& bytes) {
  const std::uint64_t size = bytes.size();
  return channel.send(reinterpret_cast<const std::byte*>(&size), sizeof size) &&
         channel.send(bytes.data(), bytes.size());
}

// Reads what send_message wrote, waiting at most `seconds` for all of it; negative: for ever.
Receipt receive_message(platform::Channel& channel, double seconds, Bytes& bytes) {
  using Clock = platform::Channel::Clock;
  std::optional<Clock::time_point> deadline;
  if (seconds >= 0)
    deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  std::uint64_t size = 0;
  const Receipt receipt = channel.receive(reinterpret_cast<std::byte*>(&size), sizeof size, deadline);
  if (receipt != Receipt::complete) return receipt;
  bytes.resize(size);
  return channel.receive(bytes.data(), bytes.size(), deadline);
}

}  // namespace

Result<void> DriverProcess::start() {
  if (process_.is_running()) return {};
  if (!process_.start(role_)) return make_error(ErrorKind::io, {}, "cannot start the process of the Vulkan driver");
  Bytes bytes;
  if (receive_message(process_.channel(), kStartSeconds, bytes) != Receipt::complete || bytes.empty())
    return make_error(ErrorKind::usage, {}, "the Vulkan driver does not start (" + process_.end() + ")");
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.front() == '-') return make_error(ErrorKind::usage, {}, text.substr(1));
  description_ = text.substr(1);
  return {};
}

Result<Bytes> DriverProcess::ask(const Bytes& request, double seconds, const std::string& what) {
  if (const Result<void> started = start(); !started) return started.error();
  Bytes answer;
  Receipt receipt = Receipt::closed;
  if (send_message(process_.channel(), request)) receipt = receive_message(process_.channel(), seconds, answer);
  if (receipt == Receipt::complete) return answer;
  const std::string how = process_.end();
  if (receipt != Receipt::timed_out) return make_error(ErrorKind::usage, {}, "the driver crashed: " + how);
  return make_error(ErrorKind::usage, {},
                    "the driver gave no " + what + " within " + std::to_string(static_cast<int>(seconds)) + " s");
}

bool serve_parent(const std::string& role, int count, char** values, const DriverService& service) {
  std::optional<platform::Channel> parent = platform::channel_to_parent(role, count, values);
  if (!parent) return false;
  const Result<std::string> opened = service.open();
  if (!send_message(*parent, bytes_of(opened ? "+" + *opened : "-" + opened.error().message)) || !opened) return true;
  Bytes bytes;
  while (receive_message(*parent, -1, bytes) == Receipt::complete) {
    const std::optional<Bytes> answer = service.answer(bytes);
    if (!answer || !send_message(*parent, *answer)) break;
  }
  return true;
}

}  // namespace varylink::verify
