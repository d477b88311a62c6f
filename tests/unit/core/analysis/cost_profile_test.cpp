#include "analysis/cost_profile.h"

#include "support/catch.h"

namespace varylink::analysis {
namespace {

TEST_CASE("built-in profiles are found by name", "[analysis]") {
  for (const char* name : {"generic", "tiler", "immediate", "scalar-inorder"}) {
    REQUIRE(find_profile(name) != nullptr);
    CHECK(find_profile(name)->name == name);
    CHECK_FALSE(find_profile(name)->description.empty());
  }
  CHECK(find_profile("Generic") == nullptr);
  CHECK(default_profile().name == "generic");
}

TEST_CASE("the scalar in-order profile has three delay slots and 256 registers", "[analysis]") {
  const CostProfile& profile = *find_profile("scalar-inorder");
  CHECK(profile[OpClass::basic].cost == 1);
  CHECK(profile[OpClass::basic].delay == 3);
  CHECK(profile.register_budget == 256);
}

TEST_CASE("a profile takes from its base what it does not say", "[analysis]") {
  const auto profile = parse_profile(
      R"({"name": "mine", "based_on": "tiler", "fragments_per_vertex": 2.5, "uniform_limit": 30,
          "operations": {"special": {"cost": 7}, "texture": {"delay": 3}}})",
      "p.json");
  REQUIRE(profile);
  CHECK(profile->name == "mine");
  CHECK(profile->fragments_per_vertex == 2.5);
  CHECK(profile->uniform_limit == 30);
  CHECK(profile->uniform_share == find_profile("tiler")->uniform_share);
  CHECK((*profile)[OpClass::special].cost == 7);
  CHECK((*profile)[OpClass::special].delay == (*find_profile("tiler"))[OpClass::special].delay);
  CHECK((*profile)[OpClass::texture].delay == 3);
  CHECK((*profile)[OpClass::output_store].cost == (*find_profile("tiler"))[OpClass::output_store].cost);
  const auto empty = parse_profile("{}", "p.json");
  REQUIRE(empty);
  CHECK(empty->name == "custom");
  CHECK((*empty)[OpClass::power].cost == default_profile()[OpClass::power].cost);
}

TEST_CASE("a profile that says something impossible is refused with the reason", "[analysis]") {
  const auto message = [](const char* text) {
    const auto profile = parse_profile(text, "p.json");
    REQUIRE_FALSE(profile);
    CHECK(profile.error().kind == ErrorKind::usage);
    CHECK(profile.error().file == "p.json");
    return profile.error().message;
  };
  CHECK(message("nonsense") == "is not a JSON object that describes a cost profile");
  CHECK(message("[1]") == "is not a JSON object that describes a cost profile");
  CHECK(message(R"({"based_on": "fast"})") == "based_on does not name a built-in profile");
  CHECK(message(R"({"based_on": 1})") == "based_on does not name a built-in profile");
  CHECK(message(R"({"registers": 1})") == "registers is not known");
  CHECK(message(R"({"name": 1})") == "name is not a string");
  CHECK(message(R"({"register_budget": 1.5})") == "register_budget is not a whole number from 0 to 1000000");
  CHECK(message(R"({"fragments_per_vertex": -1})") == "fragments_per_vertex is not a number from 0 to 1000000");
  CHECK(message(R"({"operations": 1})") == "operations is not an object");
  CHECK(message(R"({"operations": {"sin": {}}})") == "there is no operation class 'sin'");
  CHECK(message(R"({"operations": {"free": {"cost": 1}}})") == "there is no operation class 'free'");
  CHECK(message(R"({"operations": {"basic": 1}})") == "basic is not an object with cost and delay");
  CHECK(message(R"({"operations": {"basic": {"cost": "x"}}})") == "basic.cost is not a number from 0 to 1000000");
  CHECK(message(R"({"operations": {"basic": {"price": 1}}})") == "basic.price is not known");
}

}  // namespace
}  // namespace varylink::analysis
