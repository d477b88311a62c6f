// What several attempts at a proof show together.
#include "prove/open_subjects.h"

#include "support/catch.h"

namespace varylink::prove {
namespace {

Finding open_value(const std::string& what) { return {Subject::value, Stage::fragment, what, {}, {}, {}, {}}; }
Finding open_read(const std::string& what) { return {Subject::read, Stage::fragment, what, {}, {}, {}, {}}; }

const Subjects kTwo = {{Stage::fragment, "output 0.x"}, {Stage::fragment, "output 0.y"}};

TEST_CASE("what one attempt leaves open another shows", "[prove]") {
  OpenSubjects open;
  CHECK_FALSE(open.none());
  open.add(kTwo, {open_value("output 0.x")});
  CHECK(open.has(open_value("output 0.x")));
  CHECK_FALSE(open.has(open_value("output 0.y")));
  open.add(kTwo, {open_value("output 0.y")});
  CHECK(open.none());
}

TEST_CASE("attempts that name other things are not put together", "[prove]") {
  OpenSubjects open;
  open.add(kTwo, {open_value("output 0.x")});
  open.add({{Stage::fragment, "output 0.y"}}, {open_value("output 0.y")});
  CHECK_FALSE(open.none());
  open.add({{Stage::fragment, "output 0.y"}}, {});  // but one that shows all does
  CHECK(open.none());
}

TEST_CASE("reads are shown all at once", "[prove]") {
  OpenSubjects open;
  open.add(kTwo, {open_read("read of a")});
  open.add(kTwo, {open_read("read of a, called otherwise"), open_value("output 0.x")});
  CHECK_FALSE(open.none());
  CHECK_FALSE(open.has(open_value("output 0.x")));
  open.add(kTwo, {open_value("output 0.x")});
  CHECK(open.none());
}

}  // namespace
}  // namespace varylink::prove
