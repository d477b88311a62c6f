// What the front end read of a SPIR-V file goes along with its words, for linking, as long as it is what they say.
#include <memory>

#include "frontend/frontend.h"
#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/shader.h"

namespace varylink::frontend {
namespace {

constexpr const char* kVertex =
    "#version 450\nlayout(constant_id = 3) const float k = 2.0;\nlayout(location = 0) out float o;\n"
    "void main() { o = k; gl_Position = vec4(0.0); }\n";
constexpr const char* kFragment =
    "#version 450\nlayout(location = 0) in float i;\nlayout(location = 0) out vec4 o;\nvoid main() { o = vec4(i); }\n";

SourceText binary(const char* name, Stage stage, const char* glsl) {
  const std::vector<std::uint32_t> words = spirv::write_module(test::module_from_glsl(stage, glsl));
  return {{name, stage, {}},
          SourceKind::spirv_binary,
          {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint32_t)}};
}

std::vector<link::StageInput> stages_of(const std::vector<SourceText>& sources, const CompileOptions& options = {}) {
  Result<LoadedPipeline> loaded = load_texts("pipeline", sources, options);
  REQUIRE(loaded);
  return loaded->pipeline.stages;
}

TEST_CASE("what was read of SPIR-V files goes along with their words", "[frontend]") {
  const auto stages = stages_of({binary("a.spv", Stage::vertex, kVertex), binary("b.spv", Stage::fragment, kFragment)});
  REQUIRE(stages.size() == 2);
  for (const link::StageInput& stage : stages) {
    REQUIRE(stage.read);
    CHECK(spirv::write_module(*stage.read) == stage.words);
  }
}

TEST_CASE("a specialized stage is read again", "[frontend]") {
  CompileOptions options;
  options.specialization[3] = "4.0";
  const auto stages =
      stages_of({binary("a.spv", Stage::vertex, kVertex), binary("b.spv", Stage::fragment, kFragment)}, options);
  REQUIRE(stages.size() == 2);
  CHECK_FALSE(stages[0].read);
  CHECK(stages[1].read);
}

TEST_CASE("beside GLSL, whose varyings are numbered with those of the file, it is read again", "[frontend]") {
  const auto stages = stages_of(
      {binary("a.spv", Stage::vertex, kVertex), {{"b.frag", Stage::fragment, {}}, SourceKind::glsl, kFragment}});
  REQUIRE(stages.size() == 2);
  for (const link::StageInput& stage : stages) CHECK_FALSE(stage.read);
}

}  // namespace
}  // namespace varylink::frontend
