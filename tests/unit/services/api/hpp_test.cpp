// The C++ interface: what it adds to the C one is objects, exceptions for mistakes, and callbacks that may throw.
#include <string>
#include <type_traits>
#include <varylink/varylink.hpp>

#include "shaders.h"
#include "support/catch.h"

using namespace api_test;
namespace vl = varylink::cpp;

static_assert(!std::is_copy_constructible_v<vl::Pipeline> && std::is_nothrow_move_constructible_v<vl::Pipeline>);

TEST_CASE("objects link and check a pipeline", "[api]") {
  vl::Context context;
  vl::Pipeline pipeline(context, {.name = "lit"});
  pipeline.add_spirv({.words = vertex_words(), .name = "a.vert"});
  pipeline.add_spirv({.words = fragment_words()});
  CHECK(pipeline.check());
  vl::Outcome linked = pipeline.link({.level = VARYLINK_LEVEL_EXACT});
  REQUIRE(linked);
  const vl::Outcome moved = std::move(linked);
  REQUIRE(moved.modules().size() == 2);
  CHECK(moved.modules()[0].name == "a.vert");
  CHECK(moved.modules()[1].words.front() == 0x07230203u);
  REQUIRE(moved.interfaces().size() == 1);
  const vl::Interface interface = moved.interfaces()[0];
  CHECK(interface.after.components == kComponentsAfter);
  REQUIRE(interface.components.size() == kComponentsBefore);
  CHECK(interface.components[0].now == std::pair(0u, 0u));
  CHECK_FALSE(interface.components[7].now);
  CHECK(moved.report().find("\"lit\"") != std::string_view::npos);
  CHECK_FALSE(moved.proof());
  const std::optional<vl::Proof> proof = pipeline.link({.prove = VARYLINK_PROVE_REQUIRE}).proof();
  REQUIRE(proof);
  CHECK(proof->verdict == VARYLINK_VERDICT_PROVED);
  CHECK(proof->findings.empty());
}

TEST_CASE("what is wrong with shaders is an outcome, what is wrong with the program is an exception", "[api]") {
  std::vector<std::string> told;
  vl::Context context([&](const vl::Diagnostic& diagnostic) { told.emplace_back(diagnostic.vuid); });
  vl::Pipeline pipeline(context);
  CHECK_THROWS_AS(pipeline.add_spirv({}), vl::Error);
  pipeline.add_spirv({.words = vertex_words()});
  pipeline.add_spirv({.words = strange_fragment_words()});
  const vl::Outcome linked = pipeline.link();
  CHECK_FALSE(linked);
  REQUIRE(linked.diagnostics().size() == 1);
  CHECK(told == std::vector<std::string>{"VUID-RuntimeSpirv-OpEntryPoint-08743"});
  try {
    pipeline.link({.passes = {"no-such-pass"}});
    FAIL("no exception");
  } catch (const vl::Error& error) {
    CHECK(error.status() == VARYLINK_ERROR_INVALID_ARGUMENT);
    CHECK(contains(error.what(), "no-such-pass"));
  }
}

TEST_CASE("an exception of a callback comes out of the call that caused it", "[api]") {
  int calls = 0;
  vl::Context context([&](const vl::Diagnostic&) {
    ++calls;
    throw std::string("stop");
  });
  vl::Pipeline pipeline(context);
  CHECK_THROWS_AS(pipeline.link(), std::string);  // there are no stages, which is worth a message
  CHECK(calls == 1);
  pipeline.add_spirv({.words = vertex_words()});
  CHECK(pipeline.link({.dump = [](std::string_view, varylink_stage, std::span<const std::uint32_t>) {}}));
}
