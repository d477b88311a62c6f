// Pairs of pipelines with tessellation and geometry stages that are equal or not, by one fact each.
#include "unit/services/prove/stages.h"

#include "support/catch.h"

namespace varylink::prove {
namespace {

Proof proof_of(const Stages& original, const Stages& linked, Semantics semantics = Semantics::linear) {
  return prove(original.words(), linked.words(), with_shared_layout(semantics));
}

bool proved(const Stages& original, const Stages& linked, Semantics semantics = Semantics::linear) {
  return proof_of(original, linked, semantics).verdict == Verdict::proved;
}

const std::string kUniforms = "layout(set = 0, binding = 0) uniform U { float strength; vec4 tint; } u;";
const std::string kVertex =
    kUniforms +
    "layout(location = 0) in vec4 p; layout(location = 1) in vec4 q; layout(location = 0) out vec4 a;"
    "void main() { gl_Position = p; a = q; }";
const std::string kFragment =
    kUniforms + "layout(location = 0) in vec4 a; layout(location = 0) out vec4 color; void main() { color = a; }";

// ---- tessellation: what the control stage does for each vertex and for the patch

struct Tessellation {
  std::string control_outputs = "layout(location = 0) out vec4 b[];";
  std::string control = "b[gl_InvocationID] = a[gl_InvocationID];";
  std::string inner = "2.0";
  std::string mode = "triangles";
  std::string evaluation_inputs = "layout(location = 0) in vec4 b[];";
  std::string evaluation = "b[0] * gl_TessCoord.x + b[1] * gl_TessCoord.y + b[2] * gl_TessCoord.z";
  std::string fragment = kFragment;
};

Stages tessellation(const Tessellation& parts) {
  return Stages()
      .add(Stage::vertex, kVertex)
      .add(Stage::tess_control,
           "layout(vertices = 3) out; layout(location = 0) in vec4 a[];" + kUniforms + parts.control_outputs +
               "void main() { " + parts.control +
               " gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;"
               " if (gl_InvocationID == 0) { gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 3.0;"
               " gl_TessLevelInner[0] = " +
               parts.inner + "; } }")
      .add(Stage::tess_eval,
           "layout(" + parts.mode + ") in;" + kUniforms + parts.evaluation_inputs +
               "layout(location = 0) out vec4 a; void main() { gl_Position = gl_in[0].gl_Position * gl_TessCoord.x +"
               " gl_in[1].gl_Position * gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z; a = " +
               parts.evaluation + "; }")
      .add(Stage::fragment, parts.fragment);
}

TEST_CASE("a point that an evaluation stage makes gives all its fragments the same", "[prove]") {
  Tessellation read, moved;
  read.evaluation = "vec4(gl_TessCoord, 1.0)";
  read.fragment = kUniforms +
                  "layout(location = 0) in vec4 a; layout(location = 0) out vec4 color;"
                  "void main() { color = vec4(a.x * a.y); }";
  moved.evaluation = "vec4(gl_TessCoord.x * gl_TessCoord.y)";
  moved.fragment = kUniforms +
                   "layout(location = 0) in vec4 a; layout(location = 0) out vec4 color;"
                   "void main() { color = vec4(a.x); }";
  CHECK_FALSE(proved(tessellation(read), tessellation(moved)));
  read.mode = moved.mode = "triangles, point_mode";
  CHECK(proved(tessellation(read), tessellation(moved)));
}

// allows
// forbids
TEST_CASE("values of a patch's vertices may be packed and computed elsewhere", "[prove]") {
  const Stages original = tessellation({});
  Tessellation moved;
  moved.control_outputs = "layout(location = 3) out vec4 b[];";
  moved.evaluation_inputs = "layout(location = 3) in vec4 b[];";
  moved.control = "b[gl_InvocationID] = a[gl_InvocationID].wzyx;";
  moved.evaluation = "(b[0] * gl_TessCoord.x + b[1] * gl_TessCoord.y + b[2] * gl_TessCoord.z).wzyx";
  CHECK(proved(original, tessellation(moved), Semantics::exact));
  moved.evaluation = "(b[0] * gl_TessCoord.x + b[1] * gl_TessCoord.y + b[2] * gl_TessCoord.z).wzxy";
  CHECK_FALSE(proved(original, tessellation(moved)));
  Tessellation other_vertex;
  other_vertex.evaluation = "b[0] * gl_TessCoord.x + b[2] * gl_TessCoord.y + b[1] * gl_TessCoord.z";
  CHECK_FALSE(proved(original, tessellation(other_vertex)));
  other_vertex = {};
  other_vertex.control = "b[gl_InvocationID] = a[(gl_InvocationID + 1) % 3];";
  CHECK_FALSE(proved(original, tessellation(other_vertex)));
}

TEST_CASE("tessellation levels count, wherever their value comes from", "[prove]") {
  const Stages original = tessellation({});
  Tessellation other;
  other.inner = "1.0 + 1.0";
  CHECK(proved(original, tessellation(other)));
  other.inner = "u.strength";
  CHECK_FALSE(proved(original, tessellation(other)));
}

TEST_CASE("a patch output is what the one invocation that stores it has", "[prove]") {
  Tessellation patch;
  patch.control_outputs = "layout(location = 0) patch out vec4 b;";
  patch.control = "if (gl_InvocationID == 1) b = a[gl_InvocationID] * u.strength;";
  patch.evaluation_inputs = "layout(location = 0) patch in vec4 b;";
  patch.evaluation = "b";
  const Stages original = tessellation(patch);
  Tessellation other = patch;
  other.control = "if (gl_InvocationID == 1) b = a[1];";
  other.evaluation = "b * u.strength";
  CHECK(proved(original, tessellation(other)));
  other.control = "if (gl_InvocationID == 2) b = a[1];";
  CHECK(proved(original, tessellation(other)));
  other.control = "if (gl_InvocationID == 2) b = a[gl_InvocationID];";
  CHECK_FALSE(proved(original, tessellation(other)));
  other.control = "if (gl_InvocationID == 5) b = a[1];";
  CHECK_FALSE(proved(original, tessellation(other)));
  other.control = "if (gl_InvocationID != 0) b = a[gl_InvocationID];";
  CHECK_FALSE(proved(original, tessellation(other)));
}

TEST_CASE("a vertex that does not store an output leaves any value, and the proof says that it relies on that",
          "[prove]") {
  Tessellation sometimes;
  sometimes.control = "if (a[gl_InvocationID].x > 0.5) b[gl_InvocationID] = a[gl_InvocationID];";
  const Stages everywhere = tessellation({});
  const Proof proof = proof_of(tessellation(sometimes), everywhere);
  CHECK(proof.verdict == Verdict::proved);
  CHECK(proof.relies_on_undefined);
  CHECK_FALSE(proved(everywhere, tessellation(sometimes)));
  sometimes.control += " else b[gl_InvocationID] = vec4(0.25);";
  CHECK_FALSE(proved(tessellation(sometimes), everywhere));
}

TEST_CASE("what other invocations have stored is known behind a barrier, as it was there", "[prove]") {
  Tessellation shared;
  shared.control =
      "b[gl_InvocationID] = a[gl_InvocationID]; barrier();"
      " b[gl_InvocationID] = b[(gl_InvocationID + 1) % 3];";
  const Stages original = tessellation(shared);
  Tessellation direct;
  direct.control = "barrier(); b[gl_InvocationID] = a[(gl_InvocationID + 1) % 3];";
  CHECK(proved(original, tessellation(direct)));
  Tessellation early = shared;
  early.control =
      "b[gl_InvocationID] = a[gl_InvocationID]; b[gl_InvocationID] = b[(gl_InvocationID + 1) % 3]; barrier();";
  CHECK_FALSE(proved(original, tessellation(early)));
  CHECK_FALSE(proved(original, tessellation({})));
}

TEST_CASE("an invocation that reads its own vertex by number has what it stored last", "[prove]") {
  const auto reading = [](const std::string& own, const std::string& read) {
    Tessellation stages;
    stages.control_outputs += "layout(location = 1) out vec4 c[];";
    stages.control = "c[gl_InvocationID] = a[gl_InvocationID];" + own +
                     "if (gl_InvocationID == 0) b[gl_InvocationID] = " + read +
                     "; else b[gl_InvocationID] = a[gl_InvocationID];";
    return tessellation(stages);
  };
  CHECK(proved(reading("", "c[0]"), reading("", "a[0]")));
  CHECK_FALSE(proved(reading("", "c[0]"), reading("", "vec4(0.25)")));
  const std::string again = "barrier(); c[gl_InvocationID] = a[gl_InvocationID] * u.strength;";
  CHECK(proved(reading(again, "c[0]"), reading(again, "a[0] * u.strength")));
  CHECK_FALSE(proved(reading(again, "c[0]"), reading(again, "a[0]")));
  CHECK_FALSE(proved(reading(again, "c[1]"), reading(again, "a[1] * u.strength")));
  CHECK(proved(reading(again, "c[1]"), reading(again, "a[1]")));
}

TEST_CASE("what is the same for a whole patch may be computed behind it", "[prove]") {
  Tessellation uniform;
  uniform.control = "b[gl_InvocationID] = vec4(u.strength);";
  uniform.evaluation = "b[1]";
  const Stages original = tessellation(uniform);
  Tessellation late;
  late.control_outputs = late.evaluation_inputs = late.control = "";
  late.evaluation = "vec4(0.0)";
  late.fragment = kUniforms + "layout(location = 0) out vec4 color; void main() { color = vec4(u.strength); }";
  CHECK(proved(original, tessellation(late), Semantics::exact));
  late.fragment = kUniforms + "layout(location = 0) out vec4 color; void main() { color = vec4(u.tint.x); }";
  CHECK_FALSE(proved(original, tessellation(late)));
}

// ---- geometry: what each emitted vertex has

Stages geometry(const std::string& body, const std::string& outputs = "layout(location = 0) out vec4 a;",
                const std::string& fragment = kFragment, const std::string& layout = "max_vertices = 6") {
  std::string vertex = kVertex;
  vertex.replace(vertex.find("out vec4 a"), 10, "out vec4 v");
  vertex.replace(vertex.find("a = q"), 5, "v = q");
  return Stages()
      .add(Stage::vertex, vertex)
      .add(Stage::geometry, "layout(triangles) in; layout(triangle_strip, " + layout +
                                ") out; layout(location = 0) in vec4 v[];" + kUniforms + outputs + "void main() { " +
                                body + " }")
      .add(Stage::fragment, fragment);
}

const std::string kEach = "for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; a = v[i]; EmitVertex(); }";

// allows
// forbids
TEST_CASE("emitted vertices are the same, however they are written", "[prove]") {
  const Stages original = geometry(kEach + "EndPrimitive();");
  const auto emit = [](const std::string& position, const std::string& value) {
    return "gl_Position = gl_in[" + position + "].gl_Position; a = v[" + value + "]; EmitVertex();";
  };
  CHECK(proved(original, geometry(emit("0", "0") + emit("1", "1") + emit("2", "2") + "EndPrimitive();")));
  CHECK_FALSE(proved(original, geometry(emit("0", "0") + emit("1", "1") + emit("2", "1") + "EndPrimitive();")));
  CHECK_FALSE(proved(original, geometry(emit("0", "0") + emit("2", "1") + emit("1", "2") + "EndPrimitive();")));
  CHECK_FALSE(proved(original, geometry(emit("0", "0") + emit("1", "1") + emit("2", "2"))));
  CHECK_FALSE(proved(original, geometry(emit("0", "0") + emit("1", "1") + "EndPrimitive();" + emit("2", "2"))));
  CHECK_FALSE(proved(original, geometry("if (u.strength > 0.0) {" + kEach + "EndPrimitive(); }")));
}

TEST_CASE("what one geometry invocation has is the same for its primitives, and sums move", "[prove]") {
  const std::string body =
      "for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; a = v[i] * v[0].x + v[1]; EmitVertex(); }";
  const Stages original = geometry(body);
  const std::string later =
      kUniforms +
      "layout(location = 0) in vec4 a; layout(location = 1) in vec4 b; layout(location = 2) flat in float f;"
      "layout(location = 0) out vec4 color; void main() { color = a * f + b; }";
  const std::string outputs =
      "layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; layout(location = 2) flat out float f;";
  const auto linked = [&](const std::string& factor) {
    return geometry("for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; a = v[i]; b = v[1]; f = " +
                        factor + "; EmitVertex(); }",
                    outputs, later);
  };
  CHECK(proved(original, linked("v[0].x")));
  CHECK_FALSE(proved(original, linked("v[0].x"), Semantics::exact));
  CHECK_FALSE(proved(original, linked("v[i].x")));
}

TEST_CASE("outputs behind EmitVertex depend on what was stored, and are not it", "[prove]") {
  const Stages original = geometry(
      "a = v[0]; for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position;"
      " EmitVertex(); }");
  CHECK_FALSE(proved(geometry("for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; a = v[0];"
                              " EmitVertex(); }"),
                     original));
  CHECK_FALSE(proved(original, geometry("for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position;"
                                        " EmitVertex(); }")));
  CHECK(proved(original, geometry("a = v[0] * 1.0; for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position;"
                                  " EmitVertex(); }")));
}

TEST_CASE("vertices that a loop without a constant trip count emits are not proved", "[prove]") {
  const std::string loop =
      "for (int i = 0; i < int(u.strength); ++i) { gl_Position = gl_in[0].gl_Position; a = v[0];"
      " EmitVertex(); }";
  const Proof proof = proof_of(geometry(loop), geometry(loop + "a = v[1];"));
  CHECK(proof.verdict == Verdict::not_proved);
  CHECK(proof.reason == "vertices that a loop without a constant trip count emits");
}

// ---- transform feedback

TEST_CASE("captured components stay what and where they are", "[prove]") {
  const auto capturing = [](const std::string& layout, const std::string& value) {
    return Stages()
        .add(Stage::vertex,
             "layout(xfb_buffer = 0, xfb_stride = 32) out; layout(location = 0) in vec4 p;"
             "layout(location = 0, xfb_offset = " +
                 layout +
                 ") out vec4 c; void main() {"
                 " gl_Position = p; c = " +
                 value + "; }")
        .add(Stage::fragment, "layout(location = 0) out vec4 color; void main() { color = vec4(1.0); }");
  };
  const Stages original = capturing("16", "p * 2.0");
  CHECK(proved(original, capturing("16", "p + p")));
  CHECK_FALSE(proved(original, capturing("16", "p")));
  CHECK_FALSE(proved(original, capturing("0", "p + p")));
}

// allows
TEST_CASE("the blocks of an array of blocks are captured by one buffer each", "[prove]") {
  const auto capturing = [](const std::string& outputs, const std::string& stores) {
    return Stages()
        .add(Stage::vertex,
             "layout(location = 0) in vec4 p;" + outputs + "void main() { gl_Position = p; " + stores + " }")
        .add(Stage::fragment, "layout(location = 0) out vec4 color; void main() { color = vec4(1.0); }");
  };
  const auto apart = [&](const std::string& second) {
    return capturing(
        "layout(location = 0, xfb_buffer = 1, xfb_stride = 16, xfb_offset = 0) out vec4 a;"
        "layout(location = 1, xfb_buffer = " +
            second + ", xfb_stride = 16, xfb_offset = 0) out vec4 b;",
        "a = p; b = p.wzyx;");
  };
  const Stages original =
      capturing("layout(location = 0, xfb_buffer = 1, xfb_stride = 16, xfb_offset = 0) out B { vec4 v; } b[2];",
                "b[0].v = p; b[1].v = p.wzyx;");
  CHECK(proved(original, apart("2")));
  CHECK_FALSE(proved(original, apart("3")));
}

TEST_CASE("what a geometry stage captures counts at each vertex", "[prove]") {
  const std::string outputs =
      "layout(location = 0) out vec4 a; layout(location = 1, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 16) out vec4 "
      "c;";
  const auto body = [](const std::string& value) {
    return "for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; a = v[i]; c = " + value +
           "; EmitVertex(); }";
  };
  const Stages original = geometry(body("v[i]"), outputs);
  CHECK(proved(original, geometry(body("v[i].wzyx.wzyx"), outputs)));
  CHECK_FALSE(proved(original, geometry(body("v[0]"), outputs)));
}

}  // namespace
}  // namespace varylink::prove
