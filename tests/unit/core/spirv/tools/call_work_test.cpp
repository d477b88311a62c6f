#include "spirv/tools/call_work.h"

#include <vector>

#include "spirv/tools/tools.h"
#include "support/catch.h"

namespace {

using namespace varylink;

std::vector<std::uint32_t> header() { return {0x07230203u, 0x00010000u, 0, 1000, 0}; }

void function(std::vector<std::uint32_t>& words, std::uint32_t id, const std::vector<std::uint32_t>& callees) {
  words.insert(words.end(), {(5u << 16) | 54u, 1, id, 0, 2});
  for (const std::uint32_t callee : callees) words.insert(words.end(), {(4u << 16) | 57u, 1, 500, callee});
  words.push_back((1u << 16) | 56u);
}

TEST_CASE("call work: functions times the longest chain", "[call_work]") {
  std::vector<std::uint32_t> words = header();
  CHECK(spirv::call_work(words) == 0);
  function(words, 10, {});
  CHECK(spirv::call_work(words) == 1);
  function(words, 11, {10});
  function(words, 12, {10, 11});
  CHECK(spirv::call_work(words) == 3 * 3);
  function(words, 13, {10});
  CHECK(spirv::call_work(words) == 4 * 3);
}

TEST_CASE("call work: circles and damaged streams come to an end", "[call_work]") {
  std::vector<std::uint32_t> words = header();
  function(words, 10, {11});
  function(words, 11, {10, 99});
  CHECK(spirv::call_work(words) >= 2);
  words.push_back((9u << 16) | 57u);
  CHECK(spirv::call_work(words) >= 2);
}

TEST_CASE("call work: a chain that the validator would take minutes for is an error", "[call_work]") {
  std::vector<std::uint32_t> words = header();
  for (std::uint32_t i = 0; i < 100000; ++i) function(words, 1000 + i, {999 + i});
  const auto valid = spirv::validate(words, {}, "deep.vert");
  REQUIRE(!valid);
  CHECK(valid.error().message ==
        "functions call each other more deeply than the validator can take in reasonable time");
}

}  // namespace
