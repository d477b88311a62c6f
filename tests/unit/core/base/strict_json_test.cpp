#include "base/strict_json.h"

#include <nlohmann/json.hpp>

#include "support/catch.h"

namespace varylink {
namespace {

std::string error_in(std::string_view text, const JsonProblem& problem) {
  return render(json_error(text, "f", problem));
}

TEST_CASE("JSON that is not JSON, or has a key twice, is refused with its place", "[json]") {
  JsonProblem problem;
  CHECK_FALSE(parse_json("{\"a\": [1,\n 2,]}", problem));
  CHECK(error_in("{\"a\": [1,\n 2,]}", problem) == "f:2: error: column 4: is not JSON");
  problem = {};
  const std::string twice = "{\"a\": {\"b\": 1},\n \"c\": [{\"d\": 1, \"d\": 2}]}";
  CHECK_FALSE(parse_json(twice, problem));
  CHECK(problem.path == JsonPath{"c", "0", "d"});
  CHECK(problem.message == "the key \"d\" stands twice");
}

TEST_CASE("a problem stands where its key or its element stands", "[json]") {
  const std::string text = "{\"a\": 1,\n  \"list\": [null, {\"x\": \"]\"},\n    [3, true]]}";
  CHECK(error_in(text, {"m", {"list", "1", "x"}, 0}) == "f:2: error: column 19: m");
  CHECK(error_in(text, {"m", {"list", "2", "1"}, 0}) == "f:3: error: column 9: m");
  CHECK(error_in(text, {"m", {"list", "2"}, 0}) == "f:3: error: column 5: m");
  CHECK(error_in(text, {"m", {"nowhere"}, 0}) == "f:1: error: m");
}

TEST_CASE("only the first problem counts, and keys of the application are none", "[json]") {
  JsonProblem problem;
  const auto value = parse_json(R"({"x-own": 1, "flag": 3, "number": -1})", problem);
  REQUIRE(value);
  const StrictJson json(*value, problem);
  CHECK(json.is_object_of("a thing", {"flag", "number"}));
  json.find("flag")->flag();
  json.find("number")->number();
  CHECK(problem.message == "\"flag\" is true or false");
  CHECK(problem.path == JsonPath{"flag"});
}

}  // namespace
}  // namespace varylink
