#include "measure/figures.h"

#include "support/catch.h"

namespace varylink::measure {
namespace {

Measurement measurement(const std::vector<Executable>& before, const std::vector<Executable>& after) {
  return {{}, false, before, after};
}

}  // namespace

TEST_CASE("figures: what drivers call their statistics, and which way is better", "[measure]") {
  CHECK(sense_of("Instructions") == Sense::fewer_is_better);
  CHECK(sense_of("Instruction Count") == Sense::fewer_is_better);
  CHECK(sense_of("Spilled VGPRs") == Sense::fewer_is_better);
  CHECK(sense_of("Register Count") == Sense::fewer_is_better);
  CHECK(sense_of("Subgroups per SIMD") == Sense::more_is_better);
  CHECK(sense_of("Max Waves Per Core") == Sense::more_is_better);
  CHECK(sense_of("Max dispatch width") == Sense::more_is_better);
  CHECK(sense_of("Driver pipeline hash") == Sense::unknown);
  CHECK(sense_of("Pre-Sched VGPRs") == Sense::unknown);
  CHECK(sense_of("of a driver of tomorrow") == Sense::unknown);
  CHECK(is_judged("VGPRs"));
  CHECK_FALSE(is_judged("SGPRs"));
  CHECK_FALSE(is_judged("Latency"));
  CHECK_FALSE(is_judged("of a driver of tomorrow"));
}

TEST_CASE("figures: worse is more of what should be less, and less of what should be more", "[measure]") {
  CHECK(Change{"frag", "Instructions", 100, 104}.worse_by() == 4);
  CHECK(Change{"frag", "Instructions", 100, 90}.worse_by() == -10);
  CHECK(Change{"frag", "Subgroups per SIMD", 16, 8}.worse_by() == 50);
  CHECK(Change{"frag", "Spilled VGPRs", 0, 1}.worse_by() == 100);
  CHECK(Change{"frag", "Driver pipeline hash", 1, 2}.worse_by() == 0);
}

TEST_CASE("figures: executables are compared by name, and named by their stages", "[measure]") {
  const Executable merged{"vertex + geometry", {Stage::vertex, Stage::geometry}, {{"Instructions", 10}}};
  const Executable drawing{"VS", {Stage::vertex}, {{"Instructions", 5}, {"only before", 1}}};
  const Executable binning{"Binning VS", {Stage::vertex}, {{"Instructions", 3}}};
  Executable changed = drawing;
  changed.statistics = {{"Instructions", 6}};
  const std::vector<Change> changes = changes_of(measurement({merged, drawing, binning}, {changed, binning}));
  REQUIRE(changes.size() == 2);
  CHECK(changes[0].stage == "vert (VS)");
  CHECK(changes[0].statistic == "Instructions");
  CHECK(changes[0].before == 5);
  CHECK(changes[0].after == 6);
  CHECK(changes[1].stage == "vert (Binning VS)");
  const std::vector<Change> both = changes_of(measurement({merged}, {merged}));
  REQUIRE(both.size() == 1);
  CHECK(both[0].stage == "vert+geom");
}

TEST_CASE("figures: sums count stages that got better and worse", "[measure]") {
  Sums sums;
  sums.add({{"vert", "Instructions", 10, 8}, {"frag", "Instructions", 10, 11}, {"frag", "Driver pipeline hash", 1, 2}});
  sums.add({{"frag", "Instructions", 20, 20}, {"frag", "Spilled VGPRs", 0, 0}});
  CHECK(sums.text() == "Instructions 40 -> 39 (-2.5 %), 1 better, 1 worse\n");
  CHECK(sums.all().count("Driver pipeline hash") == 0);
}

}  // namespace varylink::measure
