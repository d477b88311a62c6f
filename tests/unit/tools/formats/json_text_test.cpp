#include "formats/json_text.h"

#include "support/catch.h"

namespace varylink::formats {

TEST_CASE("json text: an edit changes its value and nothing else", "[formats]") {
  const std::string text = "{ \"b\" : 1.50,\n  \"a\":[ \"x\", {\"n\":\t7} ] }";
  JsonEdits edits;
  edits.values[JsonPath{"a", "0"}] = "new \"name\"";
  edits.values[{"a", "1", "n"}] = "eight";
  CHECK(edited(text, edits) == "{ \"b\" : 1.50,\n  \"a\":[ \"new \\\"name\\\"\", {\"n\":\t\"eight\"} ] }");
  CHECK(edited(text, {}) == text);
  edits = {};
  edits.values[JsonPath{"nowhere"}] = "x";
  CHECK(edited(text, edits) == text);
}

TEST_CASE("json text: members get new names in place", "[formats]") {
  JsonEdits edits;
  edits.keys[JsonPath{"one"}] = "two";
  CHECK(edited("{\"one\": {\"one\": 1}}", edits) == "{\"two\": {\"one\": 1}}");
}

TEST_CASE("json text: strings are quoted as JSON has them", "[formats]") {
  CHECK(quoted_json("a\"b\\c\n") == "\"a\\\"b\\\\c\\n\"");
}

}  // namespace varylink::formats
