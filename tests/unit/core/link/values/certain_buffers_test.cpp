#include "link/values/certain_buffers.h"

#include "driver/open_stage.h"
#include "prepare/recipes.h"
#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/shader.h"

namespace varylink::link {
namespace {

LinkedStage fragment_stage(const std::string& code) {
  const std::string glsl =
      "layout(set = 1, binding = 2) uniform A { vec4 a; vec4 b; vec4 c; };\n"
      "layout(location = 0) out vec4 o;\n"
      "void main() { " +
      code + " }";
  const std::vector<std::uint32_t> words = spirv::write_module(test::module_from_glsl(Stage::fragment, glsl));
  auto stage = driver::read_stage("test", {Stage::fragment, "test", words, ""});
  REQUIRE(stage);
  prepare::run_recipe(prepare::kPrepare, *stage);
  prepare::run_recipe(prepare::kUnroll, *stage);
  return std::move(*stage);
}

// Bytes of the buffer that all of these fragment shaders read for certain, of floats from the start on.
std::uint32_t certain_bytes(std::vector<LinkedStage> stages) {
  std::vector<LinkedStage*> consumers;
  for (LinkedStage& stage : stages) consumers.push_back(&stage);
  const CertainBuffers buffers(consumers);
  graph::ResourceKey key;
  key.set = 1;
  key.binding = 2;
  while (buffers.have({varyings::ScalarKind::floating, 32}, key)) key.offset += 4;
  return key.offset;
}

TEST_CASE("a buffer is certain up to the end of what is read on every path", "[certain-buffers]") {
  CHECK(certain_bytes({fragment_stage("o = a;")}) == 16);
  CHECK(certain_bytes({fragment_stage("o = a; if (a.x > 0.0) o = c;")}) == 16);
  CHECK(certain_bytes({fragment_stage("if (gl_FragCoord.x > 9.0) o = c; else o = b;")}) == 0);
  CHECK(certain_bytes({fragment_stage("o = c;")}) == 48);
  CHECK(certain_bytes({fragment_stage("discard;")}) == 0);
}

TEST_CASE("what is certain is certain in all stages", "[certain-buffers]") {
  CHECK(certain_bytes({fragment_stage("o = c;"), fragment_stage("o = b;")}) == 32);
  CHECK(certain_bytes({fragment_stage("o = c;"), fragment_stage("o = vec4(0.0);")}) == 0);
}

TEST_CASE("another binding, push constants and elements that an index chooses are not certain", "[certain-buffers]") {
  LinkedStage stage = fragment_stage("o = c;");
  const std::vector<LinkedStage*> consumers = {&stage};
  const CertainBuffers buffers(consumers);
  const varyings::ScalarType number{varyings::ScalarKind::floating, 32};
  graph::ResourceKey key;
  key.set = 1;
  key.binding = 3;
  CHECK_FALSE(buffers.have(number, key));
  key.binding = 2;
  CHECK(buffers.have(number, key));
  key.stride = 16;
  key.count = 2;
  CHECK_FALSE(buffers.have(number, key));
  key.count = 0;
  key.storage = spv::StorageClass::PushConstant;
  CHECK_FALSE(buffers.have(number, key));
}

}  // namespace
}  // namespace varylink::link
