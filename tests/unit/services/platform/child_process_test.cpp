// A child that answers, one that hangs and one that dies.
#include "platform/child_process.h"

#include <cstdlib>
#include <thread>

#include "support/catch.h"
#include "support/catch_main.h"

namespace varylink::platform {
namespace {

constexpr const char* kRole = "--answer-for-parent";

std::byte ask(ChildProcess& child, char question, double seconds, Receipt& receipt) {
  std::byte byte{static_cast<unsigned char>(question)}, answer{0};
  CHECK(child.channel().send(&byte, 1));
  const auto deadline = Channel::Clock::now() +
                        std::chrono::duration_cast<Channel::Clock::duration>(std::chrono::duration<double>(seconds));
  receipt = child.channel().receive(&answer, 1, deadline);
  return answer;
}

// Gives bytes back; 'h' hangs, 'd' dies, 'e' ends.
bool answer_parent(int count, char** values) {
  std::optional<Channel> parent = channel_to_parent(kRole, count, values);
  if (!parent) return false;
  for (std::byte byte; parent->receive(&byte, 1, std::nullopt) == Receipt::complete;) {
    if (byte == std::byte{'h'}) std::this_thread::sleep_for(std::chrono::hours(1));
    if (byte == std::byte{'d'}) std::abort();
    if (byte == std::byte{'e'}) std::_Exit(3);
    if (!parent->send(&byte, 1)) break;
  }
  return true;
}

[[maybe_unused]] const test::OtherMain kAnswers = test::other_main() = answer_parent;

}  // namespace

TEST_CASE("platform: a child answers until it hangs or dies", "[platform]") {
  ChildProcess child;
  CHECK_FALSE(child.is_running());
  CHECK(child.end() == "it was not running");
  Receipt receipt{};
  for (const char last : {'h', 'd', 'e'}) {
    REQUIRE(child.start(kRole));
    CHECK(ask(child, 'x', 60, receipt) == std::byte{'x'});
    CHECK(receipt == Receipt::complete);
    (void)ask(child, last, last == 'h' ? 0.05 : 60, receipt);
    CHECK(receipt == (last == 'h' ? Receipt::timed_out : Receipt::closed));
    const std::string how = child.end();
    if (last == 'e') CHECK(how == "exit status 3");
    CHECK_FALSE(child.is_running());
  }
  REQUIRE(child.start(kRole));
  CHECK(ask(child, 'y', 60, receipt) == std::byte{'y'});  // and ends with the object
}

}  // namespace varylink::platform
