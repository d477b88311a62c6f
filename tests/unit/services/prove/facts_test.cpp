// What the application says about a pipeline besides its shaders: with it pipelines are equal that are not without.
#include "support/catch.h"
#include "unit/services/prove/stages.h"

namespace varylink::prove {
namespace {

Stages pair(const std::string& vertex, const std::string& fragment) {
  return Stages().add(Stage::vertex, vertex).add(Stage::fragment, fragment);
}

// Verdicts without and with the facts.
std::pair<Verdict, Verdict> verdicts(const Stages& original, const Stages& linked, const PipelineFacts& facts) {
  ProveOptions options;
  const Verdict without = prove(original.words(), linked.words(), options).verdict;
  options.facts = facts;
  return {without, prove(original.words(), linked.words(), options).verdict};
}

bool needs(const Stages& original, const Stages& linked, const PipelineFacts& facts) {
  const auto [without, with] = verdicts(original, linked, facts);
  return without != Verdict::proved && with == Verdict::proved;
}

bool not_even(const Stages& original, const Stages& linked, const PipelineFacts& facts) {
  const auto [without, with] = verdicts(original, linked, facts);
  return without != Verdict::proved && with != Verdict::proved;
}

const std::string kVertex =
    "layout(location = 0) in vec4 p; layout(location = 1) in vec4 q; layout(location = 0) out vec4 a;"
    "void main() { gl_Position = p; a = q; }";

std::string fragment(const std::string& result, const std::string& input = "") {
  return "layout(location = 0) " + input + " in vec4 a; layout(location = 0) out vec4 o; void main() { o = " + result +
         "; }";
}

// allows
// forbids
TEST_CASE("one sample has one place, and offsets stay", "[prove]") {
  PipelineFacts facts;
  facts.one_sample = true;
  const Stages original = pair(kVertex, fragment("a", "centroid"));
  CHECK(needs(original, pair(kVertex, fragment("a")), facts));
  CHECK(not_even(original, pair(kVertex, fragment("a", "noperspective")), facts));
  CHECK(not_even(pair(kVertex, fragment("interpolateAtOffset(a, vec2(0.25))")), pair(kVertex, fragment("a")), facts));
}

TEST_CASE("attributes of an instance are the same at all vertices", "[prove]") {
  PipelineFacts facts;
  facts.instance_attributes = {1};
  const Stages original = pair(kVertex, fragment("a * a"));
  std::string squared = kVertex;
  squared.replace(squared.find("a = q"), 5, "a = q * q");
  CHECK(needs(original, pair(squared, fragment("a")), facts));
  facts.instance_attributes = {0};
  CHECK(not_even(original, pair(squared, fragment("a")), facts));
}

TEST_CASE("components that a vertex format lacks are 0, 0, 0, 1", "[prove]") {
  PipelineFacts facts;
  facts.missing_attributes = {{1, 2}, {1, 3}};
  const Stages original = pair(kVertex, fragment("a"));
  CHECK(needs(original, pair(kVertex, fragment("vec4(a.xy, 0.0, 1.0)")), facts));
  CHECK(not_even(original, pair(kVertex, fragment("vec4(a.xy, 1.0, 0.0)")), facts));
  CHECK(not_even(original, pair(kVertex, fragment("vec4(a.x, 0.0, 0.0, 1.0)")), facts));
}

TEST_CASE("a flat value is in the range of the attribute that it is", "[prove]") {
  PipelineFacts facts;
  facts.attribute_ranges = {{{1, 0}, {-128, 127}}};
  const std::string vertex =
      "layout(location = 0) in vec4 p; layout(location = 1) in ivec4 q; layout(location = 0) flat out int a;"
      "void main() { gl_Position = p; a = q.x; }";
  const auto reading = [&](const std::string& value) {
    return pair(vertex,
                "layout(location = 0) flat in int a; layout(location = 0) out vec4 color;"
                "void main() { color = vec4(" +
                    value + "); }");
  };
  CHECK(needs(reading("max(a, -128)"), reading("a"), facts));
  CHECK(not_even(reading("max(a, -127)"), reading("a"), facts));
}

// allows
// forbids
TEST_CASE("a stage may read what the layout gives to it and to a stage that declares it", "[prove]") {
  const auto moved = [&](const std::string& block) {
    const std::string vertex = "layout(location = 0) in vec4 p; void main() { gl_Position = p; }";
    std::string sent = kVertex;
    sent.replace(sent.find("a = q"), 5, "a = k");
    return std::pair(pair(block + sent, fragment("a")), pair(vertex, block + fragment("k")));
  };
  const auto [original, linked] = moved("layout(set = 0, binding = 3) uniform U { vec4 k; }; ");
  const auto [pushing, pushed] = moved("layout(push_constant) uniform U { layout(offset = 16) vec4 k; }; ");
  PipelineFacts facts;
  facts.bindings[{0, 3}] = {Stage::vertex, Stage::fragment};
  facts.push_constants = {{16, 16, {Stage::vertex, Stage::fragment}}};
  CHECK(needs(original, linked, facts));
  CHECK(needs(pushing, pushed, facts));

  facts.bindings[{0, 3}] = {Stage::vertex};
  facts.bindings[{0, 2}] = {Stage::vertex, Stage::fragment};
  facts.push_constants = {{16, 16, {Stage::vertex}}, {16, 16, {Stage::fragment}}};  // two ranges, two pushes
  CHECK(not_even(original, linked, facts));
  CHECK(not_even(pushing, pushed, facts));
  facts.push_constants = {{16, 12, {Stage::vertex, Stage::fragment}}};
  CHECK(not_even(pushing, pushed, facts));
}

TEST_CASE("the only view has its index", "[prove]") {
  const std::string head = "#version 460\n#extension GL_EXT_multiview : require\n";
  PipelineFacts facts;
  facts.view = 1;
  const Stages original = pair(kVertex, head + fragment("gl_ViewIndex == 1 ? a : a.wzyx"));
  CHECK(needs(original, pair(kVertex, fragment("a")), facts));
  facts.view = 0;
  CHECK(not_even(original, pair(kVertex, fragment("a")), facts));
}

TEST_CASE("specialization constants of two stages are one only if that is said, and their defaults agree", "[prove]") {
  const auto vertex = [](const std::string& value) {
    return "layout(constant_id = 7) const float k = 2.0; layout(location = 0) in vec4 p;"
           "layout(location = 0) out vec4 a; void main() { gl_Position = p; a = " +
           value + "; }";
  };
  const std::string constant = "layout(constant_id = 7) const float k = ";
  PipelineFacts facts;
  facts.shared_specialization = true;
  const Stages original = pair(vertex("vec4(k)"), constant + "2.0;" + fragment("a + k"));
  CHECK(needs(original, pair(vertex("vec4(0)"), constant + "2.0;" + fragment("vec4(k + k)")), facts));
  CHECK(not_even(original, pair(vertex("vec4(0)"), constant + "3.0;" + fragment("vec4(k + k)")), facts));
}

TEST_CASE("of points nothing is interpolated", "[prove]") {
  PipelineFacts facts;
  facts.points = true;
  const Stages original = pair(kVertex, fragment("a * a"));
  std::string squared = kVertex;
  squared.replace(squared.find("a = q"), 5, "a = q * q");
  CHECK(needs(original, pair(squared, fragment("a")), facts));
  squared.replace(squared.find("q * q"), 5, "q * p");
  CHECK(not_even(original, pair(squared, fragment("a")), facts));
}

TEST_CASE("results that arrive nowhere do not count, but the alpha of the first", "[prove]") {
  const std::string head =
      "layout(location = 0) in vec4 a; layout(location = 0) out vec4 o; layout(location = 1) out vec4 n;";
  const Stages original = pair(kVertex, head + "void main() { o = a; n = a; }");
  const Stages without_second = pair(kVertex, fragment("a"));
  PipelineFacts facts;
  facts.targets = {{true, false}};
  CHECK(needs(original, without_second, facts));
  facts.targets = {{true}};
  CHECK(needs(original, without_second, facts));
  facts.targets = {{false, true}};
  CHECK(not_even(original, without_second, facts));
  const Stages only_alpha = pair(kVertex, head + "void main() { o = vec4(0.0, 0.0, 0.0, a.w); n = a; }");
  CHECK(needs(original, only_alpha, facts));
  const Stages nothing = pair(kVertex, head + "void main() { o = vec4(0.0); n = a; }");
  CHECK(not_even(original, nothing, facts));
  facts.alpha_counts = false;
  CHECK(needs(original, nothing, facts));
}

TEST_CASE("the size of the input patch is that of the control stage, not of the evaluation stage", "[prove]") {
  const auto tessellating = [](const std::string& control, const std::string& evaluation) {
    return Stages()
        .add(Stage::vertex, "layout(location = 0) in vec4 p; void main() { gl_Position = p; }")
        .add(Stage::tess_control,
             "layout(vertices = 3) out; void main() { gl_out[gl_InvocationID].gl_Position ="
             " gl_in[gl_InvocationID].gl_Position * " +
                 control + "; gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 2.0; }")
        .add(Stage::tess_eval,
             "layout(triangles) in; void main() { gl_Position = gl_in[0].gl_Position * " + evaluation + "; }")
        .add(Stage::fragment, "layout(location = 0) out vec4 o; void main() { o = vec4(1.0); }");
  };
  PipelineFacts facts;
  facts.patch_vertices = 4;
  const std::string size = "float(gl_PatchVerticesIn)";
  CHECK(needs(tessellating(size, "2.0"), tessellating("4.0", "2.0"), facts));
  CHECK(not_even(tessellating("2.0", size), tessellating("2.0", "4.0"), facts));
}

TEST_CASE("what the state of the pipeline leaves out refutes nothing", "[prove]") {
  const Stages original = pair(kVertex, fragment("a")), alpha = pair(kVertex, fragment("vec4(a.xyz, a.w * 2.0)"));
  PipelineFacts facts;
  CHECK(verdicts(original, alpha, facts).second == Verdict::refuted);
  facts.left_out = {{0, 3}};
  CHECK(verdicts(original, alpha, facts).second == Verdict::not_proved);
  facts = {};
  facts.attribute_ranges[{1, 3}] = {0.0, 1.0};
  CHECK(verdicts(original, alpha, facts).second == Verdict::not_proved);
}

}  // namespace
}  // namespace varylink::prove
