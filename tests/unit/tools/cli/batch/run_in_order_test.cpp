#include "cli/batch/run_in_order.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/catch.h"

namespace varylink::cli {
namespace {

constexpr std::size_t kMany = 500;

TEST_CASE("every item is worked on once and taken in order, on the thread that asked", "[cli]") {
  const unsigned jobs = GENERATE(0u, 1u, 2u, 7u, 1000u);
  const std::size_t count = GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{3}, kMany);
  std::vector<std::atomic<int>> worked(count);
  std::vector<std::size_t> taken;
  const std::thread::id self = std::this_thread::get_id();
  bool elsewhere = false, too_early = false;
  run_in_order(
      count, jobs, [&](std::size_t i) { ++worked[i]; },
      [&](std::size_t i) {
        elsewhere = elsewhere || std::this_thread::get_id() != self;
        too_early = too_early || worked[i] != 1;
        taken.push_back(i);
      });
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  CHECK(taken == all);
  CHECK_FALSE(elsewhere);
  CHECK_FALSE(too_early);
  CHECK(std::all_of(worked.begin(), worked.end(), [](const std::atomic<int>& times) { return times == 1; }));
}

TEST_CASE("work does not run far ahead of what is taken", "[cli]") {
  constexpr unsigned kJobs = 3;
  std::atomic<std::size_t> started = 0;
  std::size_t furthest = 0;
  run_in_order(
      kMany, kJobs, [&](std::size_t) { ++started; },
      [&](std::size_t i) { furthest = std::max(furthest, started.load() - i); });
  CHECK(furthest <= 4 * kJobs);
}

TEST_CASE("several items are in work at a time, up to the number of jobs", "[cli]") {
  std::atomic<int> inside = 0, most = 0;
  run_in_order(8, 2,
               [&](std::size_t i) {
                 const int now = ++inside;
                 for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) continue;
                 while (i == 0 && most < 2) std::this_thread::yield();  // the first one waits for company
                 --inside;
               },
               {});
  CHECK(most == 2);
}

TEST_CASE("an exception ends the run and comes out of it", "[cli]") {
  const unsigned jobs = GENERATE(1u, 4u);
  const bool while_taking = GENERATE(false, true);
  std::atomic<std::size_t> worked = 0;
  std::size_t taken = 0;
  const auto fail_at_10 = [](std::size_t i, bool here) {
    if (here && i == 10) throw std::runtime_error("the tenth");
  };
  CHECK_THROWS_WITH(run_in_order(
                        kMany, jobs,
                        [&](std::size_t i) {
                          ++worked;
                          fail_at_10(i, !while_taking);
                        },
                        [&](std::size_t i) {
                          fail_at_10(i, while_taking);
                          ++taken;
                        }),
                    "the tenth");
  CHECK(taken <= 10);
  CHECK(worked < kMany);
}

}  // namespace
}  // namespace varylink::cli
