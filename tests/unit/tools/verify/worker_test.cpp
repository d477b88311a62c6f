#include "verify/worker.h"

#include "support/catch.h"

namespace varylink::verify {
namespace {

using Stages = std::vector<link::StageInput>;

Stages stages(const std::string& file) {
  link::StageInput stage;
  stage.file = file;
  return {stage};
}

// A driver that crashes on pipelines of these names, and draws the others alike.
Compare crashing_on(const std::vector<std::string>& bad, int& asked) {
  return [=, &asked](const Stages& original, const Stages& linked, const VerifyOptions&) {
    ++asked;
    Answer answer;
    for (const std::string& name : bad)
      if (original.front().file == name || linked.front().file == name) {
        answer.has_crashed = true;
        answer.comparison.reason = "the driver crashed: SIGSEGV";
        return answer;
      }
    answer.comparison.verdict = Verdict::identical;
    return answer;
  };
}

Comparison compared(const std::vector<std::string>& bad, int& asked) {
  return compare_and_tell_crashes(crashing_on(bad, asked), stages("original"), stages("linked"), {});
}

}  // namespace

TEST_CASE("a crash of the linked pipeline alone is a difference", "[verify]") {
  int asked = 0;
  const Comparison found = compared({"linked"}, asked);
  CHECK(found.verdict == Verdict::different);
  CHECK(found.reason == "the original can be drawn, with the linked pipeline the driver crashed: SIGSEGV");
  CHECK(asked == 3);
}

TEST_CASE("a drawing process that is ended once, from outside, is no difference", "[verify]") {
  int asked = 0;
  const Compare compare = [&](const auto&, const auto&, const VerifyOptions&) {
    Answer answer;
    answer.has_crashed = asked++ == 0;
    answer.comparison.verdict = answer.has_crashed ? Verdict::not_run : Verdict::identical;
    return answer;
  };
  CHECK(compare_and_tell_crashes(compare, stages("original"), stages("linked"), {}).verdict == Verdict::identical);
  CHECK(asked == 3);
}

TEST_CASE("a driver that crashes on the original tells nothing", "[verify]") {
  int asked = 0;
  const Comparison found = compared({"original"}, asked);
  CHECK(found.verdict == Verdict::not_run);
  CHECK(found.reason == "the driver crashed: SIGSEGV");
  CHECK(compared({}, asked).verdict == Verdict::identical);
}

}  // namespace varylink::verify
