// Pairs of pipelines with task and mesh stages that are equal or not, by one fact each.
#include "prove/prove.h"
#include "spirv/ir/globals.h"
#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/shader.h"
#include "unit/services/prove/stages.h"

namespace varylink::prove {
namespace {

const std::string kHead =
    "#version 460\n#extension GL_EXT_mesh_shader : require\n"
    "layout(set = 0, binding = 0) uniform U { float strength; vec4 table[4]; } u;\n"
    "#define I gl_LocalInvocationIndex\n";

struct MeshPipeline {
  std::vector<std::uint32_t> task, mesh, fragment;

  std::vector<StageWords> stages() const {
    std::vector<StageWords> result;
    if (!task.empty()) result.push_back({Stage::task, task, ""});
    result.push_back({Stage::mesh, mesh, ""});
    result.push_back({Stage::fragment, fragment, ""});
    return result;
  }
};

std::vector<std::uint32_t> words(Stage stage, const std::string& glsl) {
  return spirv::write_module(test::module_from_glsl(stage, kHead + glsl));
}

std::string mesh_text(const std::string& outputs, const std::string& body, const std::string& size = "3") {
  return "layout(local_size_x = " + size + ") in; layout(triangles, max_vertices = 3, max_primitives = 1) out;" +
         outputs +
         "void main() { SetMeshOutputsEXT(3, 1); if (I == 0) gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2); " +
         body + " }";
}

const std::string kPosition = "gl_MeshVerticesEXT[I].gl_Position = u.table[I];";
const std::string kOutput = "layout(location = 0) out vec4 a[];";
const std::string kFragment =
    "layout(location = 0) in vec4 a; layout(location = 0) out vec4 color; void main() { color = a; }";

MeshPipeline mesh(const std::string& body, const std::string& outputs = kOutput,
                  const std::string& fragment = kFragment, const std::string& size = "3") {
  return {{}, words(Stage::mesh, mesh_text(outputs, body, size)), words(Stage::fragment, fragment)};
}

bool proved(const MeshPipeline& original, const MeshPipeline& linked, Semantics semantics = Semantics::linear) {
  return prove(original.stages(), linked.stages(), with_shared_layout(semantics)).verdict == Verdict::proved;
}

TEST_CASE("outputs of mesh vertices may be placed elsewhere, with the same value at the same vertex", "[prove]") {
  const MeshPipeline original = mesh(kPosition + "a[I] = u.table[I] * u.strength;");
  const std::string elsewhere =
      "layout(location = 2) in vec4 a; layout(location = 0) out vec4 color; void main() { color = a.wzyx; }";
  const std::string output = "layout(location = 2) out vec4 a[];";
  CHECK(proved(original, mesh(kPosition + "a[I] = (u.strength * u.table[I]).wzyx;", output, elsewhere),
               Semantics::exact));
  CHECK_FALSE(proved(original, mesh(kPosition + "a[I] = (u.strength * u.table[I]).wzxy;", output, elsewhere)));
  CHECK_FALSE(proved(original, mesh(kPosition + "a[(I + 1) % 3] = u.strength * u.table[I];")));
  CHECK_FALSE(proved(original, mesh(kPosition + "if (I < 2) a[I] = u.strength * u.table[I];")));
  CHECK_FALSE(proved(original, mesh("gl_MeshVerticesEXT[I].gl_Position = u.table[I].yxzw;"
                                    "a[I] = u.table[I] * u.strength;")));
}

TEST_CASE("factors of mesh outputs move at -O2, and what a workgroup shares at -O1", "[prove]") {
  const MeshPipeline original = mesh(kPosition + "a[I] = u.table[I] * u.strength;");
  const std::string later =
      "layout(location = 0) in vec4 a; layout(location = 0) out vec4 color;"
      "void main() { color = a * u.strength; }";
  CHECK(proved(original, mesh(kPosition + "a[I] = u.table[I];", kOutput, later)));
  CHECK_FALSE(proved(original, mesh(kPosition + "a[I] = u.table[I];", kOutput, later), Semantics::exact));
  const MeshPipeline uniform = mesh(kPosition + "a[I] = vec4(u.strength);");
  const std::string nothing = "layout(location = 0) out vec4 color; void main() { color = vec4(u.strength); }";
  CHECK(proved(uniform, mesh(kPosition, "", nothing), Semantics::exact));
  CHECK_FALSE(proved(original, mesh(kPosition, "", nothing)));
}

TEST_CASE("an output that is not stored wherever the position is keeps its own stores", "[prove]") {
  const MeshPipeline original = mesh(kPosition + "if (u.strength > 0.0) a[I] = u.table[I];");
  CHECK(proved(original, mesh(kPosition + "if (u.strength > 0.0) a[I] = u.table[I] * 1.0;")));
  CHECK_FALSE(proved(original, mesh(kPosition + "if (u.strength > 1.0) a[I] = u.table[I];")));
}

TEST_CASE("vertices that one invocation stores one by one", "[prove]") {
  const auto vertices = [](const std::string& second) {
    return mesh(
        "for (int i = 0; i < 3; ++i) { gl_MeshVerticesEXT[i].gl_Position = u.table[i]; }"
        "a[0] = u.table[1]; a[1] = " +
            second + "; a[2] = u.table[3];",
        kOutput, kFragment, "1");
  };
  const MeshPipeline original = vertices("u.table[2]");
  CHECK(proved(original, vertices("u.table[2].xyzw + 0.0")));
  CHECK_FALSE(proved(original, vertices("u.table[1]")));
}

TEST_CASE("outputs of primitives", "[prove]") {
  const std::string output = "layout(location = 0) perprimitiveEXT out vec4 a[];";
  const std::string input =
      "layout(location = 0) perprimitiveEXT in vec4 a; layout(location = 0) out vec4 color;"
      "void main() { color = a";
  const MeshPipeline original = mesh(kPosition + "if (I == 0) a[0] = u.table[1] * 2.0;", output, input + "; }");
  CHECK(proved(original, mesh(kPosition + "if (I == 0) a[0] = u.table[1];", output, input + " * 2.0; }")));
  CHECK_FALSE(proved(original, mesh(kPosition + "if (I == 0) a[0] = u.table[2];", output, input + " * 2.0; }")));
  CHECK_FALSE(proved(original, mesh(kPosition + "if (I == 1) a[0] = u.table[1];", output, input + " * 2.0; }")));
}

// allows
// forbids
TEST_CASE("what a workgroup shares is the same if it is stored the same way", "[prove]") {
  const auto sharing = [](const std::string& body) {
    return mesh(kPosition + body, "shared vec4 s[3]; shared float t;" + kOutput);
  };
  const MeshPipeline original = sharing("s[I] = u.table[I]; barrier(); a[I] = s[(I + 1) % 3];");
  CHECK(proved(original, sharing("s[I] = 1.0 * u.table[I]; barrier(); vec4 x = s[(I + 1) % 3]; a[I] = x;")));
  CHECK_FALSE(proved(original, sharing("s[I] = u.table[I]; a[I] = s[(I + 1) % 3];")));
  CHECK_FALSE(proved(original, sharing("s[I] = u.table[I]; barrier(); a[I] = s[(I + 2) % 3];")));
  CHECK_FALSE(proved(original, sharing("s[I] = u.table[I].x * vec4(1.0); barrier(); a[I] = s[(I + 1) % 3];")));
}

TEST_CASE("payloads: parts may go, what is read stays what was stored", "[prove]") {
  const auto tasks = [](const std::string& payload, const std::string& stores, const std::string& read,
                        const std::string& groups = "2") {
    const std::string variable = "struct P { " + payload + " }; taskPayloadSharedEXT P p;";
    MeshPipeline result = mesh(kPosition + "a[I] = " + read + ";", variable + kOutput);
    result.task = words(Stage::task, "layout(local_size_x = 4) in;" + variable + "void main() { " + stores +
                                         " EmitMeshTasksEXT(" + groups + ", 1, 1); }");
    return result;
  };
  const std::string both = "vec4 unused; vec4 c[4];";
  const MeshPipeline original = tasks(both, "p.unused = vec4(1.0); p.c[I] = u.table[I];", "p.c[gl_WorkGroupID.x]");
  CHECK(proved(original, tasks("vec4 c[4];", "p.c[I] = u.table[I];", "p.c[gl_WorkGroupID.x]")));
  CHECK_FALSE(proved(original, tasks("vec4 c[4];", "p.c[I] = u.table[I].yxzw;", "p.c[gl_WorkGroupID.x]")));
  CHECK_FALSE(proved(original, tasks("vec4 c[4];", "p.c[I] = u.table[I];", "p.c[gl_WorkGroupID.x + 1]")));
  CHECK_FALSE(proved(original, tasks("vec4 c[4];", "p.c[I] = u.table[I];", "p.c[gl_WorkGroupID.x]", "3")));
}

TEST_CASE("payloads: what all invocations of the task stage store is what the mesh stage reads", "[prove]") {
  const auto tasks = [](const std::string& store, const std::string& read) {
    const std::string variable = "struct P { vec4 c; vec4 d[2]; }; taskPayloadSharedEXT P p;";
    MeshPipeline result = mesh(kPosition + "a[I] = " + read + ";", variable + kOutput);
    result.task = words(Stage::task, "layout(local_size_x = 4) in;" + variable + "void main() { " + store +
                                         " EmitMeshTasksEXT(1, 1, 1); }");
    return result;
  };
  CHECK(proved(tasks("p.c = vec4(0.25);", "p.c"), tasks("", "vec4(0.25)")));
  CHECK(proved(tasks("if (I == 0) p.c = vec4(0.25);", "p.c"), tasks("", "vec4(0.25)")));
  CHECK(proved(tasks("p.d[0] = u.table[1]; p.d[1] = u.table[2];", "p.d[0]"), tasks("", "u.table[1]")));
  CHECK_FALSE(proved(tasks("p.c = vec4(0.25);", "p.c"), tasks("", "vec4(0.5)")));
  CHECK_FALSE(proved(tasks("", "vec4(0.25)"), tasks("if (I == 0) p.c = vec4(0.25);", "p.c")));
  CHECK_FALSE(proved(tasks("p.c = u.table[I & 1];", "p.c"), tasks("", "u.table[0]")));
  CHECK_FALSE(proved(tasks("p.c = u.table[1]; if (I == 0) p.c = u.table[2];", "p.c"), tasks("", "u.table[1]")));
  CHECK_FALSE(proved(tasks("p.d[0] = u.table[1]; p.d[I & 1] = u.table[2];", "p.d[0]"), tasks("", "u.table[1]")));
}

// forbids
TEST_CASE("where one invocation may store to the vertex of another, stores and barriers stay as they are", "[prove]") {
  const std::string half = "gl_MeshVerticesEXT[I >> 1].gl_Position = u.table[I >> 1];";
  const MeshPipeline one = mesh(half + "if ((I & 1) == 0) a[I >> 1] = u.table[I];", kOutput, kFragment, "6");
  CHECK(proved(one, one));
  CHECK_FALSE(proved(one, mesh(half + "a[I >> 1] = u.table[I];", kOutput, kFragment, "6")));
  const std::string early = "a[I] = u.table[0];", late = "a[(I + 1) % 3] = u.table[1];";
  const std::string next = "if (I < 2) a[I + 1] = u.table[1];";
  CHECK(proved(mesh(kPosition + early + "barrier();" + next), mesh(kPosition + early + "barrier();" + next)));
  CHECK_FALSE(proved(mesh(kPosition + early + "barrier();" + next), mesh(kPosition + early + next + "barrier();")));
  CHECK_FALSE(proved(mesh(kPosition + early + "barrier();" + next), mesh(kPosition + next + "barrier();" + early)));
  CHECK_FALSE(proved(mesh(kPosition + early + "barrier();" + late), mesh(kPosition + early + late + "barrier();")));
}

// allows
TEST_CASE("vertices of one invocation each may be several, and any place in a row", "[prove]") {
  const auto three = [](const std::string& varying, const std::string& number) {
    std::string body = "uint n = " + number + "; for (uint k = 0u; k < 3u; ++k) {";
    body += "gl_MeshVerticesEXT[3u * n + k].gl_Position = u.table[k]; a[3u * n + k] = " + varying + "; }";
    return mesh(body, kOutput, kFragment, "1");
  };
  for (const std::string number : {"gl_LocalInvocationIndex", "gl_LocalInvocationID.x"})
    CHECK(proved(three("u.table[1] * u.strength", number), three("u.strength * u.table[1]", number), Semantics::exact));
  CHECK_FALSE(proved(three("u.table[1]", "gl_LocalInvocationIndex"), three("u.table[2]", "gl_LocalInvocationIndex")));
  const std::string by_id = "gl_MeshVerticesEXT[gl_LocalInvocationID.x].gl_Position = u.table[I];";
  CHECK(proved(mesh(by_id + "a[gl_LocalInvocationID.x] = u.table[I] * u.strength;"),
               mesh(by_id + "a[gl_LocalInvocationID.x] = u.table[I];", kOutput,
                    "layout(location = 0) in vec4 a; layout(location = 0) out vec4 color;"
                    "void main() { color = a * u.strength; }")));
}

TEST_CASE("payloads: that of another entry point is none, nor is one that is not handed on", "[prove]") {
  const std::string payload = "struct P { vec4 c; }; taskPayloadSharedEXT P p;";
  const auto pipeline = [&](const std::string& value) {
    MeshPipeline result = mesh(kPosition + "a[I] = p.c;", payload + kOutput);
    result.task = words(Stage::task, "layout(local_size_x = 4) in;" + payload + "void main() { p.c = " + value +
                                         "; EmitMeshTasksEXT(1, 1, 1); }");
    return result;
  };
  const auto edited = [](const std::vector<std::uint32_t>& words, auto edit) {
    spirv::Module module = *spirv::read_module(words, {});
    edit(module);
    return spirv::write_module(module);
  };
  const auto with_another = [](spirv::Module& module) {
    const std::vector<spirv::InstRef> declared = module.types;
    for (const spirv::InstRef inst : declared)
      if (spirv::is_variable_in(module, module[inst].result, spv::StorageClass::TaskPayloadWorkgroupEXT))
        module.types.push_back(module.create(spv::Op::OpVariable, module[inst].type, module.new_id(),
                                             {spirv::lit(module.operand(inst, 0).word)}));
  };
  const auto hands_on_nothing = [](spirv::Module& module) {
    for (const spirv::Block& block : module.functions.front().blocks) {
      const spirv::InstRef last = block.body.back();
      if (module[last].op != spv::Op::OpEmitMeshTasksEXT) continue;
      module.rewrite(last, spv::Op::OpEmitMeshTasksEXT,
                     {module.operand(last, 0), module.operand(last, 1), module.operand(last, 2)});
    }
  };
  const MeshPipeline original = pipeline("u.table[1]");
  MeshPipeline right = original, wrong = pipeline("u.table[2]");
  for (MeshPipeline* each : {&right, &wrong})
    for (std::vector<std::uint32_t>* stage : {&each->task, &each->mesh}) *stage = edited(*stage, with_another);
  CHECK(proved(right, original));
  CHECK_FALSE(proved(right, wrong));
  CHECK_FALSE(proved(original, wrong));
  MeshPipeline lost = original;
  lost.task = edited(lost.task, hands_on_nothing);
  CHECK_FALSE(proved(original, lost));
}

TEST_CASE("a vertex has what its invocation stored last, in whatever branch", "[prove]") {
  const std::string twice =
      "layout(location = 0) in vec4 a; layout(location = 0) out vec4 color; void main() { color = a * 2.0; }";
  const auto branches = [](const std::string& scale) {
    return kPosition + "if (u.strength > 0.0) a[I] = " + scale + " * u.table[I]; else a[I] = " + scale +
           " * u.table[I].yxwz;";
  };
  CHECK(proved(mesh(branches("1.0"), kOutput, twice), mesh(branches("2.0"))));
  CHECK_FALSE(proved(mesh(branches("1.0"), kOutput, twice), mesh(branches("4.0"))));
  CHECK(proved(mesh(kPosition + "a[I] = vec4(1.0); a[I] = u.table[I];", kOutput, twice),
               mesh(kPosition + "a[I] = u.table[I];", kOutput, twice)));
}

TEST_CASE("a primitive has what is stored for it, of several", "[prove]") {
  const auto primitives = [](const std::string& first, const std::string& second, const std::string& result) {
    const std::string text =
        "layout(local_size_x = 1) in; layout(points, max_vertices = 2, max_primitives = 2) out;"
        "layout(location = 0) perprimitiveEXT out vec4 a[]; void main() { SetMeshOutputsEXT(2, 2);"
        "for (int i = 0; i < 2; ++i) { gl_MeshVerticesEXT[i].gl_Position = u.table[i];"
        "  gl_MeshVerticesEXT[i].gl_PointSize = 1.0; gl_PrimitivePointIndicesEXT[i] = i; }" +
        first + second + " }";
    const std::string fragment =
        "layout(location = 0) perprimitiveEXT in vec4 a; layout(location = 0) out vec4 color;"
        "void main() { color = " +
        result + "; }";
    return MeshPipeline{{}, words(Stage::mesh, text), words(Stage::fragment, fragment)};
  };
  const MeshPipeline original = primitives("a[0] = u.table[2];", "a[1] = u.table[3];", "sin(a)");
  CHECK(proved(original, primitives("a[0] = sin(u.table[2]);", "a[1] = sin(u.table[3]);", "a"), Semantics::exact));
  CHECK_FALSE(proved(original, primitives("a[0] = sin(u.table[3]);", "a[1] = sin(u.table[2]);", "a")));
  CHECK_FALSE(proved(original, primitives("a[0] = sin(u.table[2]);", "", "a")));
  CHECK(proved(primitives("a[0] = u.table[2];", "a[1] = u.table[2];", "a"), primitives("", "", "u.table[2]")));
}

// allows
// forbids
TEST_CASE("outputs that other invocations store do not come to share a vector", "[prove]") {
  const std::string apart = "layout(location = 0) out float a[]; layout(location = 1) out vec2 b[];";
  const std::string reads =
      "layout(location = 0) in float a; layout(location = 1) in vec2 b; layout(location = 0) out vec4 color;"
      "void main() { color = vec4(a, b, 1); }";
  const std::string one = "layout(location = 0) out vec3 v[];";
  const std::string reads_one =
      "layout(location = 0) in vec3 v; layout(location = 0) out vec4 color; void main() { color = vec4(v, 1); }";
  const MeshPipeline same = mesh(kPosition + "a[I] = u.strength; b[I] = u.table[I].xy;", apart, reads);
  CHECK(proved(same, mesh(kPosition + "v[I].x = u.strength; v[I].yz = u.table[I].xy;", one, reads_one)));
  const std::string others = "v[I].x = float(I); v[2u - I].yz = u.table[I].xy;";
  const MeshPipeline turned = mesh(kPosition + "a[I] = float(I); b[2u - I] = u.table[I].xy;", apart, reads);
  CHECK_FALSE(proved(turned, mesh(kPosition + others, one, reads_one)));
  // The original has such a vector itself.
  const MeshPipeline parts = mesh(kPosition + others, one, reads_one);
  CHECK(proved(parts, mesh(kPosition + "v[I].x = 1.0 * float(I); v[2u - I].yz = u.table[I].xy;", one, reads_one)));
}

}  // namespace
}  // namespace varylink::prove
