#include "verify/wire.h"

#include "support/catch.h"

namespace varylink::verify {
namespace {

Comparison full_comparison() {
  Comparison comparison;
  comparison.verdict = Verdict::within_tolerance;
  comparison.reason = "because";
  RunResult run;
  run.strategy = "grid";
  run.verdict = Verdict::within_tolerance;
  run.informative = true;
  run.pixels = 5;
  run.differing_pixels = 4;
  run.at_discontinuity = 3;
  run.nan_pixels = 2;
  run.largest_absolute = 0.5;
  run.largest_relative = 0.25;
  run.differing_buffers = {"a", ""};
  run.nondeterministic = {"b"};
  run.affine = false;
  comparison.runs = {run, RunResult{}};
  comparison.pictures = {"x.png"};
  comparison.validation_messages = {"m", "n"};
  return comparison;
}

}  // namespace

TEST_CASE("wire: a comparison comes back as it was", "[verify]") {
  const Comparison sent = full_comparison();
  const std::optional<Comparison> received = decode_comparison(encode(sent));
  REQUIRE(received);
  CHECK(received->text() == sent.text());
  REQUIRE(received->runs.size() == 2);
  CHECK(received->runs[0].affine == std::optional<bool>(false));
  CHECK_FALSE(received->runs[1].affine.has_value());
  CHECK(received->runs[0].differing_buffers == sent.runs[0].differing_buffers);
  CHECK(received->pictures == sent.pictures);
  CHECK(encode(*received) == encode(sent));
}

TEST_CASE("wire: a request comes back as it was", "[verify]") {
  Request request;
  request.original = {{Stage::vertex, "a.vert", {1, 2, 3}, "main"}, {Stage::fragment, "a.frag", {}, ""}};
  request.linked = {{Stage::mesh, "b", {0xffffffffu}, "m"}};
  request.options.seed = 77;
  request.options.png_folder = "pictures";
  request.options.level = link::Level::exact;
  const std::optional<Request> received = decode_request(encode(request));
  REQUIRE(received);
  CHECK(received->original[0].words == request.original[0].words);
  CHECK(received->linked[0].stage == Stage::mesh);
  CHECK(encode(*received) == encode(request));
}

TEST_CASE("wire: damaged bytes give nothing", "[verify]") {
  const std::vector<std::byte> bytes = encode(full_comparison());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_FALSE(decode_comparison({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}).has_value());
  std::vector<std::byte> huge = bytes;
  for (std::size_t i = 1; i < 9; ++i) huge[i] = std::byte{0xff};  // the length of the first text, roughly
  CHECK_FALSE(decode_comparison(huge).has_value());
}

}  // namespace varylink::verify
