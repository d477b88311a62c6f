#include "link/model/report_model.h"

#include "support/catch.h"

namespace varylink::link {
namespace {

ComponentRecord record(std::uint32_t location, Outcome outcome, std::optional<varyings::Slot> new_slot) {
  ComponentRecord record;
  record.old_slot = {location, 0};
  record.outcome = outcome;
  record.new_slot = new_slot;
  record.reason = "reason " + std::to_string(location);
  return record;
}

TEST_CASE("duplicates name the new place of the component that carries their value", "[link]") {
  InterfaceReport report;
  report.components = {record(0, Outcome::dead, {}), record(1, Outcome::kept, varyings::Slot{0, 2}),
                       record(2, Outcome::duplicate, varyings::Slot{1, 0}),
                       record(3, Outcome::duplicate, varyings::Slot{2, 0})};
  report.follow_duplicates();
  CHECK(report.components[2].new_slot == varyings::Slot{0, 2});
  CHECK(report.components[3].new_slot == varyings::Slot{0, 2});
  CHECK(report.components[3].outcome == Outcome::duplicate);
  CHECK(report.components[3].reason == "reason 3");
  CHECK(report.components[1].new_slot == varyings::Slot{0, 2});
}

TEST_CASE("a duplicate of something that went away shares its fate", "[link]") {
  InterfaceReport report;
  report.components = {record(0, Outcome::constant, {}), record(1, Outcome::duplicate, varyings::Slot{0, 0})};
  report.follow_duplicates();
  CHECK(report.components[1].outcome == Outcome::constant);
  CHECK_FALSE(report.components[1].new_slot);
  CHECK(report.components[1].reason == "reason 1, of which: reason 0");
}

TEST_CASE("duplicates in a circle or of an unknown slot stay as they are", "[link]") {
  InterfaceReport report;
  report.components = {record(0, Outcome::duplicate, varyings::Slot{1, 0}),
                       record(1, Outcome::duplicate, varyings::Slot{0, 0}),
                       record(2, Outcome::duplicate, varyings::Slot{9, 0}), record(3, Outcome::duplicate, {})};
  report.follow_duplicates();
  for (const ComponentRecord& component : report.components) CHECK(component.outcome == Outcome::duplicate);
}

}  // namespace
}  // namespace varylink::link
