// Messages over the channel between a process and its child, the same on every system.
#include "platform/child_process.h"

namespace varylink::platform {

bool send_message(Channel& channel, const Bytes& bytes) {
  const std::uint64_t size = bytes.size();
  return channel.send(reinterpret_cast<const std::byte*>(&size), sizeof size) &&
         channel.send(bytes.data(), bytes.size());
}

Receipt receive_message(Channel& channel, const std::optional<Channel::Clock::time_point>& deadline, Bytes& bytes) {
  std::uint64_t size = 0;
  const Receipt receipt = channel.receive(reinterpret_cast<std::byte*>(&size), sizeof size, deadline);
  if (receipt != Receipt::complete) return receipt;
  bytes.resize(size);
  return channel.receive(bytes.data(), bytes.size(), deadline);
}

}  // namespace varylink::platform
