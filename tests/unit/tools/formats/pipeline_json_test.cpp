#include "formats/sc/pipeline_json.h"

#include "support/catch.h"

namespace varylink::formats::sc {
namespace {

constexpr const char* kPipeline = R"({
  "GraphicsPipelineState": {
    "PipelineLayout": {"setLayoutCount": 0, "pSetLayouts": "NULL", "pushConstantRangeCount": 0, "pPushConstantRanges": "NULL"},
    "GraphicsPipeline": {
      "stageCount": 1,
      "pStages": [{"stage": "VK_SHADER_STAGE_VERTEX_BIT", "pName": "main", "pSpecializationInfo": "NULL"}]
    },
    "ShaderFileNames": [{"stage": "VK_SHADER_STAGE_VERTEX_BIT", "filename": "mesh.vert.spv"}]
  }
})";

Result<PipelineJson> parse(std::string text) {
  return parse_pipeline_json(std::move(text), "p.json", [](const std::string&) { return std::nullopt; });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("pipeline json: the stages and their files are read", "[formats]") {
  REQUIRE(is_pipeline_json(kPipeline));
  const Result<PipelineJson> pipeline = parse(kPipeline);
  REQUIRE(pipeline);
  REQUIRE(pipeline->shaders.size() == 1);
  CHECK(pipeline->shaders[0].name == "mesh.vert.spv");
  CHECK(pipeline->shaders[0].stage == Stage::vertex);
  const std::vector<std::string> names = {"linked/mesh.vert.spv"};
  CHECK(with_shader_names(*pipeline, names) == replaced(kPipeline, "mesh.vert.spv", "linked/mesh.vert.spv"));
}

TEST_CASE("pipeline json: a text that is cut anywhere is an error with its place, or no pipeline", "[formats]") {
  const std::string whole = kPipeline;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    INFO(size);
    const Result<PipelineJson> cut = parse(whole.substr(0, size));
    REQUIRE_FALSE(cut);
    CHECK(cut.error().file == "p.json");
  }
}

TEST_CASE("pipeline json: other types than the schema's are errors", "[formats]") {
  CHECK_FALSE(parse(replaced(kPipeline, "\"mesh.vert.spv\"", "7")));
  CHECK_FALSE(parse(replaced(kPipeline, "\"VK_SHADER_STAGE_VERTEX_BIT\"", "\"VERTEX\"")));
  CHECK_FALSE(
      parse(replaced(kPipeline, "[{\"stage\": \"VK_SHADER_STAGE_VERTEX_BIT\", \"filename\"", "[{\"filename\"")));
  CHECK_FALSE(is_pipeline_json("[]"));
  CHECK_FALSE(is_pipeline_json("{\"stages\": {}}"));
}

TEST_CASE("pipeline json: a compute pipeline is not for linking, and says why", "[formats]") {
  const Result<PipelineJson> pipeline = parse(R"({"ComputePipelineState": {
    "ComputePipeline": {"stage": {"stage": "VK_SHADER_STAGE_COMPUTE_BIT", "pName": "main"}},
    "ShaderFileNames": [{"stage": "VK_SHADER_STAGE_COMPUTE_BIT", "filename": "a.comp.spv"}]}})");
  REQUIRE(pipeline);
  CHECK_FALSE(pipeline->why_not.empty());
}

}  // namespace varylink::formats::sc
