// The table of what SPIR-V lets a module say: that all of SPIR-V is in it, that docs/proof.md has it, and that what has
// no reading is not proved.
#include "prove/observables.h"

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "prove/terms/unsupported.h"
#include "spirv/ir/globals.h"
#include "support/catch.h"
#include "unit/services/prove/stages.h"

namespace varylink::prove {
namespace {

std::string_view text_of(Observed kind) {
  switch (kind) {
    case Observed::decoration: return "decoration";
    case Observed::execution_mode: return "execution mode";
    case Observed::built_in: break;
  }
  return "built-in";
}

std::string_view text_of(Treatment treatment) {
  switch (treatment) {
    case Treatment::compared: return "compared";
    case Treatment::permission: return "permission";
    case Treatment::no_effect: return "no effect";
    case Treatment::refused: break;
  }
  return "refused";
}

std::string held_by(Treatment treatment) {
  const std::string mutants = "`tests/prove/observables.py`";
  if (treatment == Treatment::compared) return mutants;
  if (treatment == Treatment::permission) return mutants + ", `tests/unit/services/prove/decorations_test.cpp`";
  return "`tests/unit/services/prove/observables_test.cpp`";
}

// As docs/proof.md has it.
std::string row_of(const Observables& row) {
  std::string names;
  for (const ObservableName& each : row.names) names += (names.empty() ? "`" : ", `") + std::string(each.name) + "`";
  std::ostringstream text;
  text << "| " << text_of(row.kind) << " | " << names << " | " << text_of(row.treatment) << " | " << row.how << " | "
       << held_by(row.treatment) << " |\n";
  return text.str();
}

std::string contents_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr const char* kVertex =
    "layout(location = 0) in vec4 p; layout(location = 0) out vec4 a; void main() { a = p; }";

// A fragment shader, the same once more in other words.
spirv::Module fragment(bool again) {
  return test::module_from_glsl(Stage::fragment,
                                std::string("layout(location = 0) in vec4 a; layout(location = 0) out vec4 result;"
                                            "void main() { result = a") +
                                    (again ? " * 1.0; }" : "; }"));
}

void say(spirv::Module& module, Observed kind, std::uint32_t number) {
  const spirv::EntryPoint entry = module.entries().front();
  switch (kind) {
    case Observed::decoration:
      return spirv::decorate(module, entry.interface.front(), static_cast<spv::Decoration>(number));
    case Observed::built_in: return spirv::decorate(module, entry.function, spv::Decoration::BuiltIn, number);
    case Observed::execution_mode:
      module.execution_modes.push_back(
          module.create(spv::Op::OpExecutionMode, 0, 0, {spirv::id(entry.function), spirv::lit(number)}));
  }
}

// Why a module that says this has no reading; empty if it has one.
std::string problem_of(Observed kind, std::uint32_t number) {
  spirv::Module module = fragment(false);
  say(module, kind, number);
  try {
    require_readable(module, module.entries().front());
  } catch (const Unsupported& problem) {
    return problem.reason;
  }
  return {};
}

// Of a pipeline whose fragment stage has the decoration, before and after.
Proof proof_with(spv::Decoration decoration) {
  const std::vector<std::uint32_t> vertex = spirv::write_module(test::module_from_glsl(Stage::vertex, kVertex));
  spirv::Module before = fragment(false), after = fragment(true);
  for (spirv::Module* module : {&before, &after})
    say(*module, Observed::decoration, static_cast<std::uint32_t>(decoration));
  const std::vector<std::uint32_t> original = spirv::write_module(before), linked = spirv::write_module(after);
  const StageWords first{Stage::vertex, vertex, ""};
  const StageWords stages[] = {first, {Stage::fragment, original, ""}};
  const StageWords others[] = {first, {Stage::fragment, linked, ""}};
  return prove(stages, others, {});
}

TEST_CASE("all decorations, execution modes and built-ins of SPIR-V are in the table once", "[prove]") {
  const std::string text = contents_of(VARYLINK_SPIRV_GRAMMAR);
  if (text.empty()) return;  // SPIRV-Headers is where nobody looked
  std::map<Observed, std::map<std::uint32_t, std::string>> listed;
  for (const Observables& row : observables())
    for (const ObservableName& each : row.names) {
      INFO(each.name);
      CHECK(listed[row.kind].emplace(each.number, each.name).second);
    }
  const std::map<std::string, Observed> kinds = {{"Decoration", Observed::decoration},
                                                 {"ExecutionMode", Observed::execution_mode},
                                                 {"BuiltIn", Observed::built_in}};
  const nlohmann::json grammar = nlohmann::json::parse(text);
  for (const nlohmann::json& kind : grammar.at("operand_kinds")) {
    const auto found = kinds.find(kind.at("kind").get<std::string>());
    if (found == kinds.end()) continue;
    for (const nlohmann::json& each : kind.at("enumerants")) {
      INFO(found->first << " " << each.at("enumerant").get<std::string>());
      CHECK(listed[found->second].contains(each.at("value").get<std::uint32_t>()));
    }
  }
}

TEST_CASE("docs/proof.md has the table of what is compared", "[prove]") {
  const std::string text = contents_of(VARYLINK_SOURCE_DIR "/docs/proof.md");
  for (const Observables& row : observables()) {
    INFO(row_of(row));
    CHECK(text.find(row_of(row)) != std::string::npos);
  }
}

// forbids
TEST_CASE("what has no reading is not proved, nor is what nobody knows", "[prove]") {
  for (const Observables& row : observables())
    for (const ObservableName& each : row.names) {
      const std::string problem =
          "the " + std::string(text_of(row.kind)) + " " + std::string(each.name) + " has no reading";
      CHECK(problem_of(row.kind, each.number) == (row.treatment == Treatment::refused ? problem : ""));
    }
  for (const Observed kind : {Observed::decoration, Observed::execution_mode, Observed::built_in})
    for (const std::uint32_t number : {7777u, 123456u})
      CHECK(problem_of(kind, number) ==
            "the " + std::string(text_of(kind)) + " " + std::to_string(number) + " has no reading");
  const Proof proof = proof_with(spv::Decoration::OverrideCoverageNV);
  CHECK(proof.verdict == Verdict::not_proved);
  CHECK(proof.reason == "the decoration OverrideCoverageNV has no reading");
}

// allows
TEST_CASE("what has no effect does not keep from a proof", "[prove]") {
  CHECK(proof_with(spv::Decoration::GLSLPacked).verdict == Verdict::proved);
}

}  // namespace
}  // namespace varylink::prove
