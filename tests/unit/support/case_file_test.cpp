#include "support/case_file.h"

#include "support/catch.h"

namespace varylink::test {
namespace {

constexpr std::string_view kCase =
    ";; Outputs that nobody reads go. R-4.1\n"
    ";; Second line: still prose.\n"
    ";; link: -O1 --fuel 3\n"
    "\n"
    "==  vert   spvasm\n"
    "a == b\n"
    "== expect status\n"
    "ok\n"
    "== check vert\n"
    "OpStore\n";

TEST_CASE("a case file falls into description, directives and sections", "[support]") {
  const Result<CaseFile> file = parse_case(kCase, "x.case");
  REQUIRE(file);
  CHECK(file->description == "Outputs that nobody reads go. R-4.1 Second line: still prose.");
  CHECK(file->directive("link") == "-O1 --fuel 3");
  CHECK(file->directive("else").empty());
  REQUIRE(file->sections.size() == 3);
  CHECK(file->sections[0].title == "vert spvasm");
  CHECK(file->sections[0].line == 5);
  CHECK(file->sections[0].body == "a == b\n");
  CHECK(file->find("frag") == nullptr);
}

TEST_CASE("setting a section keeps everything else of a case file", "[support]") {
  Result<CaseFile> file = parse_case(kCase, "x.case");
  REQUIRE(file);
  file->set("expect status", "io\n");
  file->set("expect remarks", "r\n");
  file->set("last", "l\n", "nothing starts like this");
  const std::string text = file->text();
  CHECK(text.find("== expect status\nio\n== expect remarks\nr\n== check vert\nOpStore\n== last\nl\n") !=
        std::string::npos);
  CHECK(text.rfind(kCase.substr(0, kCase.find("==")), 0) == 0);
  file->remove("expect remarks");
  CHECK(file->find("expect remarks") == nullptr);
}

TEST_CASE("case files without a sentence, without a section or with one twice are refused", "[support]") {
  CHECK_FALSE(parse_case("", "x.case"));
  CHECK_FALSE(parse_case(";; link: -O1\n== vert\n", "x.case"));
  CHECK_FALSE(parse_case(";; Sentence.\n", "x.case"));
  CHECK_FALSE(parse_case(";; Sentence.\n== vert\n== vert\n", "x.case"));
  CHECK_FALSE(read_case("/no/such/file.case"));
}

TEST_CASE("a line difference shows both sides", "[support]") {
  CHECK(line_diff("a\nb\nc\n", "a\nx\nc\n") == "  a\n- b\n+ x\n  c\n");
  CHECK(line_diff("", "n\n") == "+ n\n");
  CHECK(line_diff("o\n", "") == "- o\n");
}

}  // namespace
}  // namespace varylink::test
