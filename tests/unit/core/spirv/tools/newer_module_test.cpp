#include "spirv/tools/newer_module.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "spirv/ir/header_words.h"
#include "spirv/tools/known_extensions.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"

using namespace varylink;

namespace {

using Words = std::vector<std::uint32_t>;

Words module_of(std::initializer_list<Words> instructions, std::uint32_t version = 0x00010600) {
  Words words = {spirv::kMagic, version, 0, 10, 0};
  for (const Words& instruction : instructions) {
    words.push_back(static_cast<std::uint32_t>(instruction.size()) << 16 | instruction[0]);
    words.insert(words.end(), instruction.begin() + 1, instruction.end());
  }
  return words;
}

const Words kShader = {17, 1}, kModel = {14, 0, 1}, kFloat = {22, 1, 32};

}  // namespace

TEST_CASE("newer_features: what is declared and not known", "[newer]") {
  CHECK(spirv::newer_features(module_of({kShader, kModel, kFloat})).empty());
  CHECK(spirv::newer_features(module_of({kShader, kModel, kFloat}, 0x00010700)) ==
        std::vector<std::string>{"SPIR-V 1.7"});
  CHECK(spirv::newer_features(module_of({kShader, {17, 7777}, kModel})) == std::vector<std::string>{"capability 7777"});
  CHECK(spirv::newer_features(module_of({{17, 7777}, kModel, {6999, 1, 2}, {43, 2, 3, 0}, {6999}})).size() == 1);
}

TEST_CASE("newer_features: damage in a module that is newer", "[newer]") {
  const Words newer = {17, 7777};
  CHECK(spirv::newer_features(module_of({newer, kModel, {22, 1}})).empty());         // too short
  CHECK(spirv::newer_features(module_of({newer, kModel, kFloat, kFloat})).empty());  // defined twice
  CHECK(spirv::newer_features(module_of({newer, kFloat, kModel})).empty());          // order
  CHECK(spirv::newer_features(module_of({newer, kModel, {22, 11, 32}})).empty());    // beyond the bound
  CHECK(spirv::newer_features(module_of({newer, kModel, {43, 2, 3, 0}})).empty());   // nothing can define %2
  CHECK(spirv::newer_features(module_of({newer, kModel, kFloat, {43, 1, 2, 0}, {1, 2, 3}})).empty());  // not a type
}

TEST_CASE("newer_features: many unknown instructions end", "[newer]") {
  Words words = module_of({{17, 7777}, kModel});
  for (int i = 0; i < 20000; ++i) words.push_back(1u << 16 | 6999u);
  CHECK(spirv::newer_features(words).size() == 1);
}

TEST_CASE("known_extensions: has what the grammar of the headers names", "[newer]") {
  const std::filesystem::path grammar = "/usr/include/spirv/unified1/spirv.core.grammar.json";
  if (!std::filesystem::exists(grammar) || spirv::tools_release() != "v2023.1") return;
  const auto json = nlohmann::json::parse(std::ifstream(grammar));
  for (const auto& instruction : json.at("instructions"))
    for (const auto& name : instruction.value("extensions", nlohmann::json::array()))
      CHECK(spirv::is_known_extension(name.get<std::string>()));
  CHECK_FALSE(spirv::is_known_extension("SPV_KHR_bfloat16"));
}
