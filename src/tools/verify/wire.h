// Messages between Worker and its child, as bytes.
#pragma once

#include <optional>
#include <vector>

#include "verify/archive.h"
#include "verify/verify.h"

namespace varylink::verify {

struct Request {
  std::vector<link::StageInput> original, linked;
  VerifyOptions options;
};

Bytes encode(const Request& request);
Bytes encode(const Comparison& comparison);
// None if the bytes are not what encode() makes.
std::optional<Request> decode_request(const Bytes& bytes);
std::optional<Comparison> decode_comparison(const Bytes& bytes);

}  // namespace varylink::verify
