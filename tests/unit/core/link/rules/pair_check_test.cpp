#include "link/rules/pair_check.h"

#include <algorithm>

#include "link/rules/contract_check.h"
#include "link/rules/contract_facts.h"
#include "spirv/ir/globals.h"
#include "support/catch.h"
#include "support/shader.h"

using namespace varylink;

namespace {

struct Shaders {
  spirv::Module producer, consumer;
};

Shaders vertex_fragment(const std::string& vertex, const std::string& fragment) {
  return {test::module_from_glsl(Stage::vertex, vertex),
          test::module_from_glsl(Stage::fragment, "layout(location = 0) out vec4 o;\n" + fragment)};
}

link::StageView view(const spirv::Module& module, Stage stage) {
  const auto made = link::view_of(module, stage, "", "a." + std::string(short_name(stage)));
  REQUIRE(made);
  return *made;
}

Diagnostics strict(const Shaders& shaders) {
  return link::check_pair(view(shaders.producer, Stage::vertex), view(shaders.consumer, Stage::fragment));
}

Diagnostics input(const Shaders& shaders, bool by_the_letter = false) {
  return link::check_input_pair(view(shaders.producer, Stage::vertex), view(shaders.consumer, Stage::fragment),
                                by_the_letter)
      .diagnostics;
}

void check_one(const Diagnostics& diagnostics, Severity severity, const std::string& vuid,
               const std::string& location) {
  REQUIRE(diagnostics.size() == 1);
  CAPTURE(render(diagnostics[0]));
  CHECK(diagnostics[0].severity == severity);
  CHECK(diagnostics[0].vuid == vuid);
  CHECK(diagnostics[0].location == location);
}

// What GLSL compilers since 2024 refuse to write.
void make_flat_at_component(spirv::Module& module, std::uint32_t component) {
  for (const spirv::InstRef inst : std::vector(module.annotations))
    if (module[inst].op == spv::Op::OpDecorate &&
        module.operand(inst, 1).word == static_cast<std::uint32_t>(spv::Decoration::Component) &&
        module.operand(inst, 2).word == component)
      spirv::decorate(module, module.operand(inst, 0).word, spv::Decoration::Flat);
}

const char* const kMissing = "VUID-RuntimeSpirv-OpEntryPoint-08743";

}  // namespace

TEST_CASE("a pair that matches exactly passes both checks") {
  const Shaders shaders = vertex_fragment(
      "layout(location = 0) out vec4 a; layout(location = 1) flat out uint b;"
      "layout(location = 2) out Block { vec2 c; float d[2]; } v;"
      "void main() { a = vec4(1); b = 1u; v.c = vec2(0); v.d[0] = v.d[1] = 1.0; }",
      "layout(location = 0) in vec4 a; layout(location = 1) flat in uint b;"
      "layout(location = 2) in Block { vec2 c; float d[2]; } v;"
      "void main() { o = a * float(b) + v.c.xyxy + v.d[0]; }");
  CHECK(strict(shaders).empty());
  CHECK(input(shaders).empty());
}

TEST_CASE("an input without an output is an error if it is read and a warning if not") {
  const std::string vertex = "layout(location = 0) out vec2 a; void main() { a = vec2(1); }";
  const Shaders read = vertex_fragment(vertex, "layout(location = 1) in vec4 b; void main() { o = b; }");
  check_one(input(read), Severity::error, kMissing, "1.x");
  CHECK(input(read)[0].kind == ErrorKind::interface_mismatch);
  check_one(strict(read), Severity::error, kMissing, "1.x");
  CHECK(strict(read)[0].kind == ErrorKind::verification_failed);
  const Shaders unread = vertex_fragment(vertex, "layout(location = 1) in vec4 b; void main() { o = vec4(1); }");
  check_one(input(unread), Severity::warning, kMissing, "1.x");
  CHECK(strict(unread).size() == 1);
}

TEST_CASE("a missing component counts only if it is read") {
  const std::string vertex = "layout(location = 0) out vec3 a; void main() { a = vec3(1); }";
  check_one(input(vertex_fragment(vertex, "layout(location = 0) in vec4 a; void main() { o = a; }")), Severity::error,
            kMissing, "0.w");
  check_one(input(vertex_fragment(vertex, "layout(location = 0) in vec4 a; void main() { o = vec4(a.xyz, 1); }")),
            Severity::warning, kMissing, "0.w");
}

TEST_CASE("components of another kind are an error, of another sign a warning") {
  const std::string vertex = "layout(location = 0) flat out int a; void main() { a = 1; }";
  check_one(input(vertex_fragment(vertex, "layout(location = 0) in float a; void main() { o = vec4(a); }")),
            Severity::error, "VUID-RuntimeSpirv-OpEntryPoint-07754", "0.x");
  check_one(input(vertex_fragment(vertex, "layout(location = 0) flat in uint a; void main() { o = vec4(a); }")),
            Severity::warning, "VUID-RuntimeSpirv-OpEntryPoint-07754", "0.x");
}

TEST_CASE("a shorter vector on the input is taken as input and never accepted as a result") {
  const Shaders shaders = vertex_fragment("layout(location = 0) out vec4 a; void main() { a = vec4(1); }",
                                          "layout(location = 0) in vec2 a; void main() { o = a.xyxy; }");
  CHECK(input(shaders).empty());
  check_one(strict(shaders), Severity::error, "VUID-RuntimeSpirv-maintenance4-06817", "0.x");
}

TEST_CASE("scalars do not stand for a vector, nor loose variables for an array") {
  const Shaders scalars = vertex_fragment(
      "layout(location = 0) out float a; layout(location = 0, component = 1) out float b; void main() { a = b = 1.0; }",
      "layout(location = 0) in vec2 a; void main() { o = a.xyxy; }");
  check_one(input(scalars), Severity::warning, "VUID-RuntimeSpirv-OpVariable-08746", "0.x");
  check_one(strict(scalars), Severity::error, "VUID-RuntimeSpirv-OpVariable-08746", "0.x");
  const Shaders array = vertex_fragment(
      "layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; void main() { a = b = vec4(1); }",
      "layout(location = 0) in vec4 a[2]; void main() { o = a[0] + a[1]; }");
  check_one(input(array), Severity::warning, "VUID-RuntimeSpirv-OpVariable-08746", "0.x");
  check_one(input(array, true), Severity::error, "VUID-RuntimeSpirv-OpVariable-08746", "0.x");
  check_one(strict(array), Severity::error, "VUID-RuntimeSpirv-OpVariable-08746", "0.x");
}

TEST_CASE("interpolation decorations must be equal in our output only") {
  const Shaders shaders = vertex_fragment("layout(location = 0) out vec4 a; void main() { a = vec4(1); }",
                                          "layout(location = 0) flat in vec4 a; void main() { o = a; }");
  CHECK(input(shaders).empty());
  CHECK(strict(shaders).size() == 1);
}

TEST_CASE("one location has one interpolation") {
  Shaders shaders = vertex_fragment(
      "layout(location = 0) out vec2 a; layout(location = 0, component = 2) out vec2 b;"
      "void main() { a = b = vec2(1); }",
      "layout(location = 0) in vec2 a; layout(location = 0, component = 2) in vec2 b;"
      "void main() { o = vec4(a, b); }");
  CHECK(strict(shaders).empty());
  make_flat_at_component(shaders.producer, 2);
  make_flat_at_component(shaders.consumer, 2);
  check_one(strict(shaders), Severity::error, "VUID-StandaloneSpirv-Input-10604", "0.z");
  check_one(input(shaders), Severity::warning, "VUID-StandaloneSpirv-Input-10604", "0.z");
}

TEST_CASE("what is read must be written") {
  const Shaders shaders = vertex_fragment("layout(location = 0) out vec4 a; void main() { a.xy = vec2(1); }",
                                          "layout(location = 0) in vec4 a; void main() { o = a; }");
  check_one(input(shaders), Severity::warning, "", "0.z");
  check_one(strict(shaders), Severity::error, "", "0.z");
}

TEST_CASE("what was already wrong in the originals is accepted where it was, and nowhere else") {
  const Shaders before = vertex_fragment(
      "layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; void main() { a = b = vec4(1); }",
      "layout(location = 0) in vec2 a; layout(location = 1) in vec4 b; void main() { o = a.xyxy + b; }");
  const Shaders after = vertex_fragment(
      "layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; void main() { a = b = vec4(1); }",
      "layout(location = 0) in vec2 a; layout(location = 1) in vec3 b; void main() { o = a.xyxy + b.xyzz; }");
  const link::PairOriginals originals{view(before.producer, Stage::vertex), view(before.consumer, Stage::fragment)};
  const auto check = [&](const Shaders& shaders) {
    return link::check_pair(view(shaders.producer, Stage::vertex), view(shaders.consumer, Stage::fragment), &originals);
  };
  CHECK(check(before).empty());
  check_one(check(after), Severity::error, "VUID-RuntimeSpirv-maintenance4-06817", "1.x");
}

TEST_CASE("built-in blocks of stages in front of the rasterizer have the same members") {
  const spirv::Module vertex = test::module_from_glsl(
      Stage::vertex, "out gl_PerVertex { vec4 gl_Position; }; void main() { gl_Position = vec4(1); }");
  const std::string geometry =
      " layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;"
      "void main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); }";
  const spirv::Module same =
      test::module_from_glsl(Stage::geometry, "in gl_PerVertex { vec4 gl_Position; } gl_in[];" + geometry);
  const spirv::Module other = test::module_from_glsl(Stage::geometry, geometry);
  CHECK(link::check_pair(view(vertex, Stage::vertex), view(same, Stage::geometry)).empty());
  check_one(link::check_pair(view(vertex, Stage::vertex), view(other, Stage::geometry)), Severity::error,
            "VUID-RuntimeSpirv-OpVariable-08746", "");
}

// ---- the contract

namespace {

Diagnostics contract(Stage stage, const std::string& before, const std::string& after,
                     const link::ContractOptions& options = {}) {
  const spirv::Module original = test::module_from_glsl(stage, before);
  const spirv::Module linked = test::module_from_glsl(stage, after);
  return link::check_contract(view(original, stage), view(linked, stage), options);
}

bool mentions(const Diagnostics& diagnostics, const std::string& text) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& diagnostic) {
    return diagnostic.kind == ErrorKind::verification_failed && diagnostic.message.find(text) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("a module keeps its contract with itself") {
  const std::string vertex = R"(
      layout(constant_id = 4) const int N = 2;
      layout(push_constant) uniform Push { vec4 p; };
      layout(set = 1, binding = 2) uniform Buffer { vec4 b[2]; };
      layout(location = 0) in vec4 attr;
      layout(location = 0) out vec4 a;
      void main() { gl_Position = attr + p; a = b[N]; })";
  CHECK(contract(Stage::vertex, vertex, vertex, {false, false, true}).empty());
}

TEST_CASE("locations may fall, not rise") {
  const std::string low = "layout(location = 1) out vec4 a; void main() { a = vec4(1); }";
  const std::string high = "layout(location = 2) out vec4 a; void main() { a = vec4(1); }";
  const std::string two =
      "layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; void main() { a = b = vec4(1); }";
  CHECK(contract(Stage::vertex, high, low).empty());
  CHECK(mentions(contract(Stage::vertex, low, high), "highest location"));
  CHECK(mentions(contract(Stage::vertex, low, two), "number of locations"));
}

TEST_CASE("attributes stay unless they may be stripped") {
  const std::string both =
      "layout(location = 0) in vec4 a; layout(location = 1) in vec4 b; void main() { gl_Position = a + b; }";
  const std::string one = "layout(location = 0) in vec4 a; void main() { gl_Position = a; }";
  CHECK(mentions(contract(Stage::vertex, both, one), "lost the vertex input at location 1.x vec4"));
  CHECK(contract(Stage::vertex, both, one, {false, true, false}).empty());
  CHECK(mentions(contract(Stage::vertex, one, both, {false, true, false}), "added the vertex input"));
}

TEST_CASE("resources and specialization ids stay unless they may be stripped, and are never added") {
  const std::string with =
      "layout(constant_id = 3) const float S = 1.0; layout(set = 0, binding = 1) uniform B { vec4 b; };"
      "void main() { gl_Position = b * S; }";
  const std::string without = "void main() { gl_Position = vec4(1); }";
  CHECK(mentions(contract(Stage::vertex, with, without), "descriptor set 0 binding 1"));
  CHECK(mentions(contract(Stage::vertex, with, without), "specialization id 3"));
  CHECK(contract(Stage::vertex, with, without, {true, false, false}).empty());
  CHECK(mentions(contract(Stage::vertex, without, with, {true, false, false}), "added the resource descriptor set 0"));
}

TEST_CASE("specialization constants of other stages may be added if all stages get the same data") {
  const auto shader = [](const std::string& constant) {
    return "layout(constant_id = 3) const " + constant + "; void main() { gl_Position = vec4(S); }";
  };
  const std::string without = "void main() { gl_Position = vec4(1); }", with = shader("float S = 1.0");
  link::ContractOptions shared;
  const spirv::Module other = test::module_from_glsl(Stage::vertex, with);
  shared.shared_spec_constants = link::specialization_constants(view(other, Stage::vertex));
  CHECK(mentions(contract(Stage::vertex, without, with), "added specialization id 3"));
  CHECK(contract(Stage::vertex, without, with, shared).empty());
  CHECK(mentions(contract(Stage::vertex, without, shader("float S = 2.0"), shared), "added specialization id 3"));
  CHECK(mentions(contract(Stage::vertex, without, shader("int S = 1"), shared), "added specialization id 3"));
  CHECK(mentions(contract(Stage::vertex, shader("bool S = true"), shader("bool S = false")), "specialization id 3"));
}

TEST_CASE("the last stage in front of the rasterizer keeps its built-in writes") {
  const std::string with = "void main() { gl_Position = vec4(1); gl_PointSize = 1.0; }";
  const std::string without = "void main() { gl_Position = vec4(1); }";
  CHECK(mentions(contract(Stage::vertex, with, without, {false, false, true}), "lost the write of built-in 1"));
  CHECK(contract(Stage::vertex, with, without).empty());
}

TEST_CASE("captured outputs keep buffer, offset, stride and type") {
  const auto shader = [](const char* offset) {
    return std::string("layout(xfb_buffer = 0, xfb_stride = 32) out; layout(location = 0, xfb_offset = ") + offset +
           ") out vec4 a; void main() { a = vec4(1); }";
  };
  CHECK(contract(Stage::vertex, shader("0"), shader("0")).empty());
  CHECK(mentions(contract(Stage::vertex, shader("0"), shader("16")), "transform feedback capture of buffer 0"));
}

TEST_CASE("the fragment stage keeps its built-ins, its outputs and one Sample input") {
  const auto shader = [](const char* body) {
    return std::string("layout(location = 0) in vec4 a; layout(location = 1) sample in vec4 b;") +
           "layout(location = 0) out vec4 o;" + body;
  };
  const std::string all = shader("void main() { o = a + b + gl_FragCoord; }");
  CHECK(mentions(contract(Stage::fragment, all, shader("void main() { o = a + b; }")), "fragment built-in input"));
  CHECK(mentions(contract(Stage::fragment, all,
                          "layout(location = 0) in vec4 a; layout(location = 0) out vec4 o;"
                          "void main() { o = a + gl_FragCoord; }"),
                 "Sample input"));
  CHECK(mentions(contract(Stage::fragment, all,
                          "layout(location = 0) in vec4 a; layout(location = 1) sample in vec4 b;"
                          "layout(location = 0) out vec3 o; void main() { o = (a + b + gl_FragCoord).xyz; }"),
                 "fragment output"));
}

TEST_CASE("capabilities, modes and the interface list are held") {
  const std::string plain = "void main() { gl_Position = vec4(1); }";
  spirv::Module linked = test::module_from_glsl(Stage::vertex, plain);
  const spirv::Module original = linked;
  SECTION("a capability more") {
    linked.capabilities.push_back(
        linked.create(spv::Op::OpCapability, 0, 0, {spirv::lit(static_cast<std::uint32_t>(spv::Capability::Float64))}));
    CHECK(mentions(link::check_contract(view(original, Stage::vertex), view(linked, Stage::vertex)), "capability"));
  }
  SECTION("another version") {
    linked.version = 0x00010000;
    CHECK(mentions(link::check_contract(view(original, Stage::vertex), view(linked, Stage::vertex)), "version"));
  }
  SECTION("a mode more") {
    const spirv::Id main = linked.entries()[0].function;
    linked.execution_modes.push_back(
        linked.create(spv::Op::OpExecutionMode, 0, 0,
                      {spirv::id(main), spirv::lit(static_cast<std::uint32_t>(spv::ExecutionMode::Xfb))}));
    CHECK(mentions(link::check_contract(view(original, Stage::vertex), view(linked, Stage::vertex)), "execution mode"));
  }
  SECTION("a used variable that is not listed") {
    const spirv::InstRef entry = linked.entries()[0].inst;
    std::vector<spirv::Operand> operands(linked.operands(entry).begin(), linked.operands(entry).end());
    operands.erase(
        std::remove_if(operands.begin() + 2, operands.end(), [](const spirv::Operand& o) { return o.is_id; }),
        operands.end());
    linked.rewrite(entry, spv::Op::OpEntryPoint, operands);
    CHECK(mentions(link::check_contract(view(original, Stage::vertex), view(linked, Stage::vertex)), "lacks id"));
  }
}
