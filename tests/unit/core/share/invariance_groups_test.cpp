#include "share/invariance_groups.h"

#include <memory>

#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/shader.h"

namespace varylink::share {
namespace {

spirv::Module vertex(const std::string& position) {
  return test::module_from_glsl(Stage::vertex,
                                "layout(location = 0) in vec4 p; void main() { gl_Position = " + position + "; }");
}

TEST_CASE("positions of a result are those of its words, also where the original was read before", "[share]") {
  link::PipelineInput input;
  input.stages.push_back({Stage::vertex, "a.vert", spirv::write_module(vertex("p * 2.0")), "main"});
  input.stages.back().read = std::make_shared<const spirv::Module>(vertex("p * 2.0"));
  const auto verdict = [&](const std::string& position) {
    link::LinkedPipeline linked;
    linked.stages.push_back({Stage::vertex, spirv::write_module(vertex(position))});
    return compare_with_original(input, linked, {}, nullptr).kind;
  };
  CHECK(verdict("p * 2.0") == InvarianceVerdict::Kind::kept);
  CHECK(verdict("p * 3.0") == InvarianceVerdict::Kind::changed);
}

}  // namespace
}  // namespace varylink::share
