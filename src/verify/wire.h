// What Worker and its child say to each other, as bytes. Both ends are the same build, so there is no version and no
// byte order to care about.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "platform/child_process.h"
#include "verify/verify.h"

namespace varylink::verify {

struct Request {
  std::vector<link::StageInput> original, linked;
  VerifyOptions options;
};

std::vector<std::byte> encode(const Request& request);
std::vector<std::byte> encode(const Comparison& comparison);
// None if the bytes are not what encode() makes.
std::optional<Request> decode_request(const std::vector<std::byte>& bytes);
std::optional<Comparison> decode_comparison(const std::vector<std::byte>& bytes);

// Writes a length and the bytes. False if the other end is gone.
bool send_message(platform::Channel& channel, const std::vector<std::byte>& bytes);

using platform::Receipt;
// Reads what send_message wrote, waiting at most `seconds` for all of it; negative: for ever.
Receipt receive_message(platform::Channel& channel, double seconds, std::vector<std::byte>& bytes);

}  // namespace varylink::verify
