#include "verify/compare_frames.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "support/catch.h"

namespace varylink::verify {
namespace {

constexpr float kClear = -1234.5f;
constexpr std::uint32_t kSide = 40;  // 1600 pixels: 8 may lie at discontinuities

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

// A picture that is `left` in its left half and `right` in its right one.
Frame two_halves(float left, float right) {
  Plane plane;
  plane.name = "location 0";
  plane.width = plane.height = kSide;
  plane.clear.fill(bits(kClear));
  for (std::uint32_t pixel = 0; pixel < kSide * kSide; ++pixel)
    plane.words.insert(plane.words.end(), 4, bits(pixel % kSide < kSide / 2 ? left : right));
  Frame frame;
  frame.planes.push_back(plane);
  frame.has_color = true;
  return frame;
}

void set_pixel(Frame& frame, std::uint32_t x, std::uint32_t y, float value) {
  for (std::uint32_t i = 0; i < 4; ++i) frame.planes[0].words[(y * kSide + x) * 4 + i] = bits(value);
}

RunResult compared(const Frame& a, const Frame& b, const Tolerance& tolerance, bool has_discontinuities) {
  RunResult result;
  compare_frames(a, b, tolerance, has_discontinuities, {}, result);
  return result;
}

Dump dump_of(std::vector<std::uint32_t> words, bool floats) {
  Dump dump;
  dump.name = "set 0 binding 0";
  dump.after.resize(words.size() * 4);
  std::memcpy(dump.after.data(), words.data(), dump.after.size());
  dump.before.resize(dump.after.size());
  for (std::uint32_t i = 0; floats && i < words.size(); ++i) dump.fields.push_back({i * 4, {}, 0, 0, 0, 0});
  return dump;
}

const Tolerance kStrict{true, 0, 0};

}  // namespace

TEST_CASE("compare_frames: the tolerance follows the level and what is known about w", "[verify]") {
  CHECK(tolerance_for(link::Level::check, std::nullopt).strict);
  CHECK(tolerance_for(link::Level::exact, true).strict);
  CHECK_FALSE(tolerance_for(link::Level::exact, false).strict);
  CHECK_FALSE(tolerance_for(link::Level::exact, std::nullopt).strict);
  CHECK_FALSE(tolerance_for(link::Level::motion, true).strict);
  CHECK(tolerance_for(link::Level::motion, true).relative > tolerance_for(link::Level::exact, false).relative);
}

TEST_CASE("compare_frames: one bit is a difference where bits must be equal", "[verify]") {
  const Frame original = two_halves(0.5f, 0.75f);
  Frame linked = original;
  CHECK(compared(original, linked, kStrict, false).verdict == Verdict::identical);
  linked.planes[0].words[77] ^= 1u;
  const RunResult strict = compared(original, linked, kStrict, true);
  CHECK(strict.verdict == Verdict::different);
  CHECK(strict.differing_pixels == 1);
  const RunResult loose = compared(original, linked, tolerance_for(link::Level::exact, false), false);
  CHECK(loose.verdict == Verdict::within_tolerance);
  CHECK(loose.largest_relative < 1e-6);
}

TEST_CASE("compare_frames: what rounding leaves of numbers that cancel is within every tolerance, but not equal",
          "[verify]") {
  const Frame nothing = two_halves(0, 0), rounding = two_halves(0, 2.98e-8f), more = two_halves(0, 2.98e-7f);
  const Tolerance exact = tolerance_for(link::Level::exact, false);
  CHECK(compared(nothing, rounding, exact, false).verdict == Verdict::within_tolerance);
  CHECK(compared(nothing, more, exact, false).verdict == Verdict::different);
  CHECK(compared(nothing, rounding, kStrict, false).verdict == Verdict::different);
}

TEST_CASE("compare_frames: a pixel is excused only at a discontinuity of the original, and only if few", "[verify]") {
  const Tolerance motion = tolerance_for(link::Level::motion, std::nullopt);
  const Frame original = two_halves(0, 1);
  Frame linked = original;
  for (std::uint32_t y = 0; y < 8; ++y) set_pixel(linked, kSide / 2, y, 0);  // the edge moved by a pixel
  const RunResult few = compared(original, linked, motion, true);
  CHECK(few.at_discontinuity == 8);
  CHECK(few.beyond_tolerance == 0);
  CHECK(few.verdict == Verdict::within_tolerance);
  CHECK(compared(original, linked, motion, false).verdict == Verdict::different);  // no discontinuous operation
  CHECK(compared(original, linked, kStrict, true).verdict == Verdict::different);

  set_pixel(linked, kSide / 2, 8, 0);  // one more than half a percent
  CHECK(compared(original, linked, motion, true).verdict == Verdict::different);

  Frame elsewhere = original;
  set_pixel(elsewhere, 3, 3, 1);  // the original has no discontinuity here
  CHECK(compared(original, elsewhere, motion, true).verdict == Verdict::different);
  Frame outside = original;
  set_pixel(outside, kSide / 2, 3, 7);  // a value that the original has on neither side
  CHECK(compared(original, outside, motion, true).verdict == Verdict::different);
}

TEST_CASE("compare_frames: NaN, infinity and the sign of zero", "[verify]") {
  const Tolerance loose = tolerance_for(link::Level::motion, std::nullopt);
  Frame nan = two_halves(0.5f, NAN);
  Frame other_nan = nan;
  for (std::uint32_t& word : other_nan.planes[0].words)
    if (std::isnan(std::bit_cast<float>(word))) word ^= 0x80000001u;
  const RunResult both = compared(nan, other_nan, kStrict, false);
  CHECK(both.verdict == Verdict::identical);
  CHECK(both.nan_pixels == kSide * kSide / 2);
  CHECK(compared(nan, two_halves(0.5f, 1), loose, false).verdict == Verdict::different);
  CHECK(compared(two_halves(0.5f, INFINITY), two_halves(0.5f, 3e38f), loose, false).verdict == Verdict::different);
  CHECK(compared(two_halves(1, 0.0f), two_halves(1, -0.0f), kStrict, false).verdict == Verdict::within_tolerance);
  CHECK(compared(two_halves(1, 0.0f), two_halves(1, 1e-30f), kStrict, false).verdict == Verdict::different);
}

TEST_CASE("compare_frames: integers have no tolerance", "[verify]") {
  Frame original = two_halves(1, 2);
  original.planes[0].kind = varyings::ScalarKind::uint;
  Frame linked = original;
  ++linked.planes[0].words[9];
  CHECK(compared(original, linked, tolerance_for(link::Level::motion, false), false).verdict == Verdict::different);
}

TEST_CASE("compare_frames: buffers by word, floats of known members with tolerance, feedback never", "[verify]") {
  const Tolerance motion = tolerance_for(link::Level::motion, std::nullopt);
  Frame original = two_halves(1, 2);
  original.buffers = {dump_of({bits(1.0f), bits(2.0f)}, true)};
  Frame linked = original;
  linked.buffers = {dump_of({bits(1.0f), bits(2.0001f)}, true)};
  CHECK(compared(original, linked, motion, false).verdict == Verdict::within_tolerance);
  CHECK(compared(original, linked, kStrict, false).verdict == Verdict::different);
  linked.buffers = {dump_of({bits(1.0f), bits(2.5f)}, true)};
  const RunResult wrong = compared(original, linked, motion, false);
  CHECK(wrong.verdict == Verdict::different);
  REQUIRE(wrong.differing_buffers.size() == 1);
  CHECK(wrong.differing_buffers[0] == "set 0 binding 0: 1 words differ, 1 beyond the tolerance");

  original.buffers = {dump_of({bits(1.0f), bits(2.0f)}, false)};  // nobody knows what these words are
  linked.buffers = {dump_of({bits(1.0f), bits(2.0001f)}, false)};
  CHECK(compared(original, linked, motion, false).verdict == Verdict::different);
  original.buffers[0].holds_floats = true;  // as texels of a float format
  CHECK(compared(original, linked, motion, false).verdict == Verdict::within_tolerance);

  original.buffers.clear();
  linked.buffers.clear();
  original.feedback = {dump_of({bits(2.0f)}, true)};
  linked.feedback = {dump_of({bits(2.0001f)}, true)};
  CHECK(compared(original, linked, motion, false).verdict == Verdict::different);
  original.feedback = {dump_of({bits(0.0f)}, true)};
  linked.feedback = {dump_of({bits(-0.0f)}, true)};
  CHECK(compared(original, linked, kStrict, false).verdict == Verdict::within_tolerance);
  original.feedback.front().fields.clear();  // an integer, for all we know
  CHECK(compared(original, linked, kStrict, false).verdict == Verdict::different);
}

TEST_CASE("compare_frames: parts that the original does not repeat are left out", "[verify]") {
  Frame original = two_halves(1, 2);
  original.buffers = {dump_of({1, 2}, false)};
  Frame again = original;
  again.buffers = {dump_of({2, 1}, false)};
  RunResult result;
  result.nondeterministic = unstable_parts(original, again);
  CHECK(result.nondeterministic == std::vector<std::string>{"set 0 binding 0"});
  compare_frames(original, again, kStrict, false, {}, result);
  CHECK(result.verdict == Verdict::identical);
}

TEST_CASE("compare_frames: what another form of the original moves as far is unstable, not different", "[verify]") {
  const Frame original = two_halves(0, 1);
  Frame linked = original;
  for (std::uint32_t y = 0; y < 4; ++y) set_pixel(linked, 3, y, 0.5f);
  const Tolerance motion = tolerance_for(link::Level::motion, std::nullopt);
  const auto run = [&](const Frame& moved, std::optional<bool> affine, const Tolerance& tolerance) {
    RunResult result;
    result.affine = affine;
    result.informative = true;
    compare_frames(original, linked, tolerance, true, {moved}, result);
    return result;
  };
  CHECK(run(original, false, motion).verdict == Verdict::different);
  const RunResult few = run(linked, false, motion);
  CHECK(few.unstable_pixels == 4);
  CHECK(few.verdict == Verdict::within_tolerance);
  CHECK(few.informative);
  CHECK(run(linked, true, motion).verdict == Verdict::within_tolerance);
  // Strict runs are given only forms that mean the same, so that what these move is the driver's doing.
  CHECK(run(linked, true, kStrict).verdict == Verdict::within_tolerance);
  CHECK(run(original, true, kStrict).verdict == Verdict::different);

  for (std::uint32_t x = 0; x < kSide; ++x)
    for (std::uint32_t y = 0; y < 30; ++y) set_pixel(linked, x, y, 0.5f);
  CHECK(run(linked, true, motion).verdict == Verdict::different);  // interpolation is exact: no flickering there
  const Tolerance discontinuous = tolerance_for(link::Level::discontinuous, std::nullopt);
  CHECK(run(linked, true, discontinuous).verdict == Verdict::within_tolerance);  // but where rounding may decide
  CHECK_FALSE(run(linked, false, motion).informative);
}

TEST_CASE("compare_frames: what another form moves beside a pixel is noise at the pixel, too", "[verify]") {
  const Frame original = two_halves(0, 1);
  const Tolerance motion = tolerance_for(link::Level::motion, std::nullopt);
  const auto verdict = [&](std::uint32_t x, std::uint32_t y) {
    Frame linked = original, moved = original;
    set_pixel(linked, 3, 3, 0.5f);
    set_pixel(moved, x, y, 0.5f);
    RunResult result;
    compare_frames(original, linked, motion, false, {moved}, result);
    return result.verdict;
  };
  CHECK(verdict(4, 2) == Verdict::within_tolerance);
  CHECK(verdict(5, 3) == Verdict::different);
}

TEST_CASE("compare_frames: where other forms scatter as many pixels, few that are changed elsewhere are noise",
          "[verify]") {
  const Frame original = two_halves(0, 0);
  const Tolerance motion = tolerance_for(link::Level::motion, std::nullopt);
  const auto run = [&](std::uint32_t changed, float to, std::uint32_t moved_by_form, bool has_discontinuities = true) {
    Frame linked = original, moved = original;
    for (std::uint32_t i = 0; i < changed; ++i) set_pixel(linked, 2 * i, 3, to);
    for (std::uint32_t i = 0; i < moved_by_form; ++i) set_pixel(moved, 2 * i, 20, 0.5f);
    RunResult result;
    compare_frames(original, linked, motion, has_discontinuities, {moved}, result);
    return result;
  };
  CHECK(run(4, 0.5f, 4).verdict == Verdict::within_tolerance);
  CHECK(run(4, 0.5f, 4).unstable_pixels == 4);
  CHECK(run(4, 0.5f, 3).verdict == Verdict::different);  // more than any form scatters
  CHECK(run(4, 0.5f, 3).beyond_tolerance == 4);
  CHECK(run(4, 1.5f, 4).verdict == Verdict::different);         // farther
  CHECK(run(17, 0.5f, 17).verdict == Verdict::different);       // more than few
  CHECK(run(4, 0.5f, 4, false).verdict == Verdict::different);  // nothing in the original scatters
}

TEST_CASE("compare_frames: values that are close may be stored a step apart, where the level has a tolerance",
          "[verify]") {
  Frame original = two_halves(0.5f, 0.75f);
  original.planes[0].steps.fill(steps_of(*state::find_format("R8G8B8A8_UNORM"))[0]);
  Frame linked = original;
  const Tolerance motion = tolerance_for(link::Level::motion, std::nullopt);
  set_pixel(linked, 3, 3, 0.5f + 1.0f / 255);
  CHECK(compared(original, linked, motion, false).verdict == Verdict::within_tolerance);
  CHECK(compared(original, linked, kStrict, false).verdict == Verdict::different);
  set_pixel(linked, 3, 3, 0.5f + 3.0f / 255);
  CHECK(compared(original, linked, motion, false).verdict == Verdict::different);
  set_pixel(linked, 3, 3, 0.5f + 1.0f / 255);
  original.planes[0].steps = {};
  CHECK(compared(original, linked, motion, false).verdict == Verdict::different);
}

TEST_CASE("compare_frames: blank and constant pictures prove nothing", "[verify]") {
  CHECK(is_informative(two_halves(1, 2), true));
  CHECK_FALSE(is_informative(two_halves(1, 1), true));
  CHECK_FALSE(is_informative(two_halves(kClear, kClear), true));
  CHECK_FALSE(is_informative(two_halves(kClear, 1), true));  // one value where it was drawn
  Frame constant_color = two_halves(1, 1);
  Plane depth;
  depth.name = "depth";
  depth.width = depth.height = kSide;
  depth.components = 1;
  for (std::uint32_t i = 0; i < kSide * kSide; ++i) depth.words.push_back(bits(static_cast<float>(i) / 2000.0f));
  constant_color.planes.push_back(depth);
  CHECK_FALSE(is_informative(constant_color, true));
  CHECK(is_informative(constant_color, false));
  Frame written = two_halves(1, 1);
  written.buffers = {dump_of({5}, false)};
  CHECK(is_informative(written, true));
}

}  // namespace varylink::verify
