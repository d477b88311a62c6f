#include "varyings/reflect/interface_variable.h"

#include "support/catch.h"
#include "support/shader.h"

using namespace varylink;
using test::module_from_assembly;
using test::module_from_glsl;
using varyings::Direction;

namespace {

std::vector<varyings::InterfaceVariable> reflect(const spirv::Module& module, Stage stage, Direction direction) {
  const auto entry = varyings::find_entry(module, stage, "", "test");
  REQUIRE(entry);
  return varyings::interface_variables(module, *entry, direction);
}

std::vector<varyings::InterfaceVariable> reflect(Stage stage, Direction direction, const std::string& glsl) {
  return reflect(module_from_glsl(stage, glsl), stage, direction);
}

// "3.y float x2 smooth patch 'name'" per leaf: the whole answer at a glance.
std::string text(const varyings::Leaf& leaf) {
  std::string out = varyings::text(leaf.slot) + " " + varyings::text(leaf.scalar) + " x" + std::to_string(leaf.count);
  if (leaf.interpolation != varyings::Interpolation{}) out += " " + varyings::text(leaf.interpolation);
  if (leaf.patch) out += " patch";
  if (leaf.per_primitive) out += " perprimitive";
  if (leaf.relaxed_precision) out += " relaxed";
  if (leaf.invariant) out += " invariant";
  if (leaf.stream != 0) out += " stream " + std::to_string(leaf.stream);
  if (leaf.captured)
    out += " xfb " + std::to_string(leaf.xfb.buffer) + "/" + std::to_string(leaf.xfb.stride) + "/" +
           std::to_string(leaf.xfb.offset);
  return out + (leaf.name.empty() ? "" : " " + leaf.name);
}

std::vector<std::string> texts(const std::vector<varyings::InterfaceVariable>& variables) {
  std::vector<std::string> out;
  for (const auto& variable : variables) {
    CHECK_FALSE(variable.unsupported);
    for (const auto& leaf : variable.leaves) out.push_back(text(leaf));
  }
  return out;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("loose variables have location, component, type and name") {
  const auto outputs = reflect(Stage::vertex, Direction::output, R"(
      layout(location = 3) out vec3 color;
      layout(location = 3, component = 3) out float extra;
      layout(location = 1) flat out uvec2 ids;
      layout(location = 0) in vec4 attr;
      void main() { gl_Position = attr; color = attr.xyz; extra = 1.0; ids = uvec2(1); })");
  CHECK(texts(outputs) == Texts{"3.x float x3 color", "3.w float x1 extra", "1.x uint x2 flat ids"});
  CHECK(outputs[0].location == 3);
  CHECK(outputs[0].location_count == 1);
  CHECK(outputs[0].leaves[0].slot_of(2) == varyings::Slot{3, 2});
}

TEST_CASE("built-in variables and built-in blocks are not user variables") {
  const std::string glsl = R"(
      layout(location = 0) in vec4 a;
      void main() { gl_Position = a * float(gl_VertexIndex); gl_PointSize = 1.0; })";
  CHECK(reflect(Stage::vertex, Direction::output, glsl).empty());
  CHECK(texts(reflect(Stage::vertex, Direction::input, glsl)) == Texts{"0.x float x4 a"});
}

TEST_CASE("64-bit vectors of three and four components take two locations") {
  const auto outputs = reflect(Stage::vertex, Direction::output, R"(
      layout(location = 0) flat out dvec4 a;
      layout(location = 2) flat out double b;
      layout(location = 4) flat out dvec3 c[2];
      void main() { a = dvec4(1); b = 1.0; c[0] = c[1] = dvec3(0); })");
  CHECK(texts(outputs) ==
        Texts{"0.x double x4 flat a", "2.x double x1 flat b", "4.x double x3 flat c[0]", "6.x double x3 flat c[1]"});
  CHECK(outputs[0].location_count == 2);
  CHECK(outputs[0].leaves[0].slots_per_component() == 2);
  CHECK(outputs[0].leaves[0].slot_of(1) == varyings::Slot{0, 2});
  CHECK(outputs[0].leaves[0].slot_of(2) == varyings::Slot{1, 0});
  CHECK(outputs[2].location_count == 4);
}

TEST_CASE("16-bit components take a whole slot each") {
  const auto outputs = reflect(Stage::vertex, Direction::output, R"(
      #extension GL_EXT_shader_explicit_arithmetic_types : require
      layout(location = 0) out f16vec4 a;
      layout(location = 1) flat out int16_t b;
      void main() { a = f16vec4(1); b = int16_t(2); })");
  CHECK(texts(outputs) == Texts{"0.x float16 x4 a", "1.x int16 x1 flat b"});
  CHECK(outputs[0].leaves[0].slot_of(3) == varyings::Slot{0, 3});
}

TEST_CASE("matrices, arrays and structures are walked depth first") {
  const auto outputs = reflect(Stage::vertex, Direction::output, R"(
      struct Light { vec3 dir; float power[2]; };
      layout(location = 1) out mat2x3 m;
      layout(location = 4) out Light lights[2];
      void main() { m = mat2x3(1); lights[0].dir = vec3(1); })");
  CHECK(texts(outputs) == Texts{"1.x float x3 m[0]", "2.x float x3 m[1]", "4.x float x3 lights[0].dir",
                                "5.x float x1 lights[0].power[0]", "6.x float x1 lights[0].power[1]",
                                "7.x float x3 lights[1].dir", "8.x float x1 lights[1].power[0]",
                                "9.x float x1 lights[1].power[1]"});
  CHECK(outputs[1].leaves[4].path == std::vector<std::uint32_t>{1, 1, 0});
  CHECK(outputs[1].location_count == 6);
}

TEST_CASE("a block may have its locations on the members, with holes") {
  const auto outputs = reflect(Stage::vertex, Direction::output, R"(
      layout(location = 2) out Block { vec4 a; layout(location = 7) flat uint b; noperspective vec2 c; } v;
      void main() { v.a = vec4(1); v.b = 1u; v.c = vec2(0); })");
  CHECK(texts(outputs) == Texts{"2.x float x4 v.a", "7.x uint x1 flat v.b", "8.x float x2 noperspective v.c"});
  CHECK(outputs[0].location == 2);
  CHECK(outputs[0].location_count == 7);
}

TEST_CASE("one array level is per vertex where the interface is") {
  const std::string control = R"(
      layout(vertices = 3) out;
      layout(location = 0) in vec2 i[];
      layout(location = 1) out vec2 o[];
      layout(location = 2) patch out vec4 p[2];
      layout(location = 4) patch out P { float a; float b; } pb;
      void main() { o[gl_InvocationID] = i[gl_InvocationID]; p[0] = p[1] = vec4(1); pb.a = pb.b = 0.0; })";
  CHECK(texts(reflect(Stage::tess_control, Direction::input, control)) == Texts{"0.x float x2 i"});
  const auto outputs = reflect(Stage::tess_control, Direction::output, control);
  CHECK(texts(outputs) == Texts{"1.x float x2 o", "2.x float x4 patch p[0]", "3.x float x4 patch p[1]",
                                "4.x float x1 patch pb.a", "5.x float x1 patch pb.b"});
  CHECK(outputs[0].arrayed);
  CHECK_FALSE(outputs[1].arrayed);
  CHECK_FALSE(outputs[2].arrayed);
  CHECK(outputs[0].element_type != outputs[0].type);

  const std::string evaluation = R"(
      layout(triangles) in;
      layout(location = 1) in vec2 o[];
      layout(location = 2) patch in vec4 p[2];
      layout(location = 0) out vec4 x[2];
      void main() { x[0] = o[1].xyxy + p[0]; x[1] = p[1]; })";
  CHECK(texts(reflect(Stage::tess_eval, Direction::input, evaluation)) ==
        Texts{"1.x float x2 o", "2.x float x4 patch p[0]", "3.x float x4 patch p[1]"});
  CHECK(texts(reflect(Stage::tess_eval, Direction::output, evaluation)) ==
        Texts{"0.x float x4 x[0]", "1.x float x4 x[1]"});

  const std::string geometry = R"(
      layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
      layout(location = 0) in Block { vec4 a; vec2 b[2]; } v[];
      layout(location = 0) out vec4 o[2];
      void main() { o[0] = v[1].a; o[1] = v[2].b[1].xyxy; EmitVertex(); })";
  CHECK(texts(reflect(Stage::geometry, Direction::input, geometry)) ==
        Texts{"0.x float x4 v.a", "1.x float x2 v.b[0]", "2.x float x2 v.b[1]"});
  CHECK(texts(reflect(Stage::geometry, Direction::output, geometry)) ==
        Texts{"0.x float x4 o[0]", "1.x float x4 o[1]"});
}

TEST_CASE("mesh outputs are per vertex or per primitive") {
  const auto outputs = reflect(Stage::mesh, Direction::output, R"(
      #extension GL_EXT_mesh_shader : require
      layout(local_size_x = 1) in;
      layout(triangles, max_vertices = 3, max_primitives = 1) out;
      layout(location = 0) out vec4 color[];
      layout(location = 1) perprimitiveEXT out PerPrim { uint id; } prim[];
      void main() { SetMeshOutputsEXT(3, 1); color[0] = vec4(1); prim[0].id = 1u; })");
  CHECK(texts(outputs) == Texts{"0.x float x4 color", "1.x uint x1 perprimitive prim.id"});
  CHECK(outputs[1].arrayed);
}

TEST_CASE("fragment inputs carry their interpolation, on the variable or on block members") {
  const auto inputs = reflect(Stage::fragment, Direction::input, R"(
      layout(location = 0) in vec4 a;
      layout(location = 1) centroid in vec4 b;
      layout(location = 2) noperspective sample in vec4 c;
      layout(location = 3) in Block { flat int d; mediump vec2 e; } v;
      layout(location = 0) out vec4 o;
      void main() { o = a + b + c + float(v.d) + v.e.xyxy; })");
  CHECK(texts(inputs) == Texts{"0.x float x4 a", "1.x float x4 smooth centroid b",
                               "2.x float x4 noperspective sample c", "3.x int x1 flat v.d",
                               "4.x float x2 relaxed v.e"});
}

TEST_CASE("raw vertex values of a fragment input lose their array level") {
  const auto inputs = reflect(Stage::fragment, Direction::input, R"(
      #extension GL_EXT_fragment_shader_barycentric : require
      layout(location = 0) pervertexEXT in vec4 a[3];
      layout(location = 0) out vec4 o;
      void main() { o = a[0]; })");
  CHECK(texts(inputs) == Texts{"0.x float x4 pervertex a"});
  CHECK(inputs[0].arrayed);
}

TEST_CASE("captured outputs know where they are written; without the mode nothing is captured") {
  const std::string shader = R"(
      layout(xfb_buffer = 1, xfb_stride = 64) out;
      layout(location = 0, xfb_offset = 16) out vec4 a;
      layout(location = 1) out vec4 b;
      layout(location = 2, xfb_offset = 32, xfb_buffer = 1) out Block { vec2 c; float d[2]; } v;
      void main() { a = vec4(1); b = vec4(2); v.c = vec2(1); v.d[0] = v.d[1] = 1.0; })";
  spirv::Module module = module_from_glsl(Stage::vertex, shader);
  CHECK(texts(reflect(module, Stage::vertex, Direction::output)) ==
        Texts{"0.x float x4 xfb 1/64/16 a", "1.x float x4 b", "2.x float x2 xfb 1/64/32 v.c",
              "3.x float x1 xfb 1/64/40 v.d[0]", "4.x float x1 xfb 1/64/44 v.d[1]"});
  for (const spirv::InstRef mode : module.execution_modes) module.kill(mode);
  module.sweep();
  for (const auto& variable : reflect(module, Stage::vertex, Direction::output))
    for (const auto& leaf : variable.leaves) CHECK_FALSE(leaf.captured);
}

// allows: R-7.6
TEST_CASE("each block of an array of blocks is captured by a buffer of its own") {
  const auto outputs = reflect(Stage::vertex, Direction::output, R"(
      layout(location = 0, xfb_buffer = 1, xfb_stride = 16, xfb_offset = 0) out B { vec2 p; vec2 q; } b[2][2];
      void main() { b[0][0].p = vec2(1); })");
  CHECK(texts(outputs) == Texts{"0.x float x2 xfb 1/16/0 b[0][0].p", "1.x float x2 xfb 1/16/8 b[0][0].q",
                                "2.x float x2 xfb 2/16/0 b[0][1].p", "3.x float x2 xfb 2/16/8 b[0][1].q",
                                "4.x float x2 xfb 3/16/0 b[1][0].p", "5.x float x2 xfb 3/16/8 b[1][0].q",
                                "6.x float x2 xfb 4/16/0 b[1][1].p", "7.x float x2 xfb 4/16/8 b[1][1].q"});
}

TEST_CASE("geometry outputs know their stream; invariance is seen") {
  const auto outputs = reflect(Stage::geometry, Direction::output, R"(
      layout(points) in; layout(points, max_vertices = 2) out;
      layout(location = 0, stream = 0) out vec4 a;
      layout(location = 1, stream = 2) invariant out float b;
      void main() { a = vec4(1); b = 1.0; EmitStreamVertex(0); })");
  CHECK(texts(outputs) == Texts{"0.x float x4 a", "1.x float x1 invariant stream 2 b"});
}

namespace {

std::string vertex_assembly(const std::string& interface, const std::string& annotations, const std::string& types) {
  return "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main \"main\" " + interface + "\n" +
         annotations + "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n" + types +
         "%main = OpFunction %void None %fn\n%label = OpLabel\nOpReturn\nOpFunctionEnd\n";
}

}  // namespace

TEST_CASE("decoration groups count as decorations of their targets") {
  const auto module =
      module_from_assembly(vertex_assembly("%a %b",
                                           "OpDecorate %group Flat\nOpDecorate %group Location 5\n"
                                           "%group = OpDecorationGroup\nOpGroupDecorate %group %a\n"
                                           "OpDecorate %b Location 1\nOpDecorate %b Component 2\n",
                                           "%ptr = OpTypePointer Output %float\n"
                                           "%a = OpVariable %ptr Output\n%b = OpVariable %ptr Output\n"));
  CHECK(texts(reflect(module, Stage::vertex, Direction::output)) == Texts{"5.x float x1 flat", "1.z float x1"});
}

TEST_CASE("an array sized by a specialization constant cannot be described") {
  const auto outputs = reflect(Stage::vertex, Direction::output, R"(
      layout(constant_id = 3) const int N = 4;
      layout(location = 2) out float a[N];
      void main() { a[0] = 1.0; })");
  REQUIRE(outputs.size() == 1);
  CHECK(outputs[0].unsupported);
  CHECK(outputs[0].location == 2);
}

TEST_CASE("a variable without location and an array of absurd size cannot be described") {
  const auto module = module_from_assembly(vertex_assembly(
      "%a %b %c", "OpDecorate %b Location 1\nOpDecorate %c Location 4294967295\n",
      "%uint = OpTypeInt 32 0\n%n = OpConstant %uint 4000000000\n%array = OpTypeArray %float %n\n"
      "%arrays = OpTypeArray %array %n\n%ptr = OpTypePointer Output %float\n%ptrs = OpTypePointer Output %arrays\n"
      "%a = OpVariable %ptr Output\n%b = OpVariable %ptrs Output\n%c = OpVariable %ptr Output\n"));
  const auto outputs = reflect(module, Stage::vertex, Direction::output);
  REQUIRE(outputs.size() == 3);
  for (const auto& variable : outputs) CHECK(variable.unsupported);
}

TEST_CASE("an output that should be arrayed per vertex and is not cannot be described") {
  const auto module = module_from_assembly(R"(
      OpCapability Tessellation
      OpMemoryModel Logical GLSL450
      OpEntryPoint TessellationControl %main "main" %o
      OpExecutionMode %main OutputVertices 3
      OpDecorate %o Location 0
      %void = OpTypeVoid
      %fn = OpTypeFunction %void
      %float = OpTypeFloat 32
      %ptr = OpTypePointer Output %float
      %o = OpVariable %ptr Output
      %main = OpFunction %void None %fn
      %label = OpLabel
      OpReturn
      OpFunctionEnd)");
  const auto outputs = reflect(module, Stage::tess_control, Direction::output);
  REQUIRE(outputs.size() == 1);
  CHECK(outputs[0].unsupported);
  CHECK_FALSE(outputs[0].arrayed);
}

TEST_CASE("an id that is listed twice is one variable") {
  const auto module = module_from_assembly(vertex_assembly(
      "%a %a", "OpDecorate %a Location 0\n", "%ptr = OpTypePointer Output %float\n%a = OpVariable %ptr Output\n"));
  const auto outputs = reflect(module, Stage::vertex, Direction::output);
  CHECK(outputs.size() == 1);
}

TEST_CASE("the entry point is found by stage and name") {
  const auto module = module_from_assembly(R"(
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpEntryPoint Vertex %f "one"
      OpEntryPoint Vertex %f "two"
      OpEntryPoint Fragment %f "pixel"
      OpExecutionMode %f OriginUpperLeft
      %void = OpTypeVoid
      %fn = OpTypeFunction %void
      %f = OpFunction %void None %fn
      %label = OpLabel
      OpReturn
      OpFunctionEnd)");
  CHECK(varyings::find_entry(module, Stage::fragment, "", "m")->name == "pixel");
  CHECK(varyings::find_entry(module, Stage::vertex, "two", "m")->name == "two");
  for (const auto& failed :
       {varyings::find_entry(module, Stage::vertex, "", "m"), varyings::find_entry(module, Stage::vertex, "pixel", "m"),
        varyings::find_entry(module, Stage::geometry, "", "m")}) {
    REQUIRE_FALSE(failed);
    CHECK(failed.error().kind == ErrorKind::usage);
    CHECK(failed.error().file == "m");
  }
}
