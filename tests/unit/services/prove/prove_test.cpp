// Pairs of pipelines that are equal or not, by one fact each. The second pipeline stands for a linked one.
#include "prove/prove.h"

#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/shader.h"
#include "unit/services/prove/stages.h"

namespace varylink::prove {
namespace {

struct Pipeline {
  std::vector<std::uint32_t> vertex, fragment;
  Pipeline(const std::string& vert, const std::string& frag)
      : vertex(spirv::write_module(test::module_from_glsl(Stage::vertex, vert))),
        fragment(spirv::write_module(test::module_from_glsl(Stage::fragment, frag))) {}
  std::vector<StageWords> stages() const { return {{Stage::vertex, vertex, ""}, {Stage::fragment, fragment, ""}}; }
};

Proof proof_of(const Pipeline& original, const Pipeline& linked, Semantics semantics = Semantics::linear) {
  return prove(original.stages(), linked.stages(), with_shared_layout(semantics));
}

bool equal(const Pipeline& original, const Pipeline& linked, Semantics semantics = Semantics::linear) {
  return proof_of(original, linked, semantics).verdict == Verdict::proved;
}

constexpr const char* kInputs = R"(
layout(location = 0) in vec4 p; layout(location = 1) in vec4 q;
layout(set = 0, binding = 0) uniform U { float strength; int count; vec4 table[4]; } u;
)";
constexpr const char* kResult = R"(
layout(location = 0) out vec4 result;
layout(set = 0, binding = 0) uniform U { float strength; int count; vec4 table[4]; } u;
layout(set = 0, binding = 1) uniform sampler2D image;
)";

Pipeline pipeline(const std::string& outputs, const std::string& vert, const std::string& inputs,
                  const std::string& frag) {
  return {kInputs + outputs + "void main() { gl_Position = p; " + vert + " }",
          kResult + inputs + "void main() { " + frag + " }"};
}

const std::string kOutA = "layout(location = 0) out vec4 a;", kInA = "layout(location = 0) in vec4 a;";

TEST_CASE("a varying at another location and component is the same varying", "[prove]") {
  const Pipeline original = pipeline(kOutA + "layout(location = 1) out vec4 b;", "a = p; b = q;",
                                     kInA + "layout(location = 1) in vec4 b;", "result = vec4(a.xy, b.zw);");
  CHECK(equal(original, pipeline(kOutA, "a = vec4(q.zw, p.xy);", kInA, "result = vec4(a.zw, a.xy);")));
  CHECK_FALSE(equal(original, pipeline(kOutA, "a = vec4(q.zw, p.xy);", kInA, "result = vec4(a.zw, a.yx);")));
}

// allows: R-11.1, R-11.5
// forbids: R-11.1
TEST_CASE("constants and uniform expressions are the same in both stages", "[prove]") {
  const Pipeline original = pipeline(kOutA, "a = vec4(2.0, u.strength * 3.0, p.xy);", kInA, "result = a;");
  const auto linked = [](const std::string& value) {
    return pipeline("layout(location = 0) out vec2 a;", "a = p.xy;", "layout(location = 0) in vec2 a;",
                    "result = vec4(" + value + ", a);");
  };
  CHECK(equal(original, linked("2.0, u.strength * 3.0"), Semantics::exact));
  CHECK_FALSE(equal(original, linked("2.5, u.strength * 3.0")));
  CHECK_FALSE(equal(original, linked("2.0, u.table[1].x * 3.0")));
}

// allows: R-11.6
// forbids: R-11.6
TEST_CASE("sums may move across interpolation, but not at -O1, and products may not", "[prove]") {
  const Pipeline sum = pipeline(kOutA, "a = p;", kInA, "result = vec4(a.x + a.y * u.strength);");
  const Pipeline moved = pipeline("layout(location = 0) out float s;", "s = p.x + p.y * u.strength;",
                                  "layout(location = 0) in float s;", "result = vec4(s);");
  CHECK(equal(sum, moved));
  CHECK_FALSE(equal(sum, moved, Semantics::exact));
  const Pipeline product = pipeline(kOutA, "a = p;", kInA, "result = vec4(a.x * a.y);");
  CHECK_FALSE(equal(product, pipeline("layout(location = 0) out float s;", "s = p.x * p.y;",
                                      "layout(location = 0) in float s;", "result = vec4(s);")));
}

TEST_CASE("the class of interpolation counts", "[prove]") {
  const Pipeline original = pipeline(kOutA, "a = p;", kInA, "result = a;");
  for (const char* other : {"flat", "noperspective", "centroid"})
    CHECK_FALSE(equal(original, pipeline("layout(location = 0) " + std::string(other) + " out vec4 a;", "a = p;",
                                         "layout(location = 0) " + std::string(other) + " in vec4 a;", "result = a;")));
  const Pipeline same = pipeline(kOutA, "a = vec4(u.strength);", kInA, "result = a;");
  CHECK(equal(same, pipeline("layout(location = 0) flat out vec4 a;", "a = vec4(u.strength);",
                             "layout(location = 0) flat in vec4 a;", "result = a;")));
}

// forbids: R-11.5
TEST_CASE("what is the same at all vertices is not that at an offset, but at the centroid", "[prove]") {
  const auto reading = [](const std::string& read) { return pipeline(kOutA, "a = vec4(u.strength);", kInA, read); };
  const std::string plain = "result = a;";
  CHECK(equal(reading("result = interpolateAtCentroid(a);"), reading(plain)));
  CHECK_FALSE(equal(reading("result = interpolateAtOffset(a, vec2(0.25));"), reading(plain)));
  CHECK(equal(reading("result = interpolateAtOffset(a, vec2(0.25));"),
              reading("result = 1.0 * interpolateAtOffset(a, vec2(0.25));")));
  const auto flat = [](const std::string& frag) {
    return pipeline("layout(location = 0) flat out vec4 a;", "a = p;", "layout(location = 0) flat in vec4 a;", frag);
  };
  CHECK(equal(flat("result = interpolateAtOffset(a, vec2(0.25)) * 2.0;"), flat("result = a * 2.0;")));
  CHECK_FALSE(equal(flat("result = interpolateAtOffset(a, vec2(0.25)) * 2.0;"), flat("result = a * 3.0;")));
}

TEST_CASE("what is discarded counts, and outputs mean nothing there", "[prove]") {
  const Pipeline original = pipeline(kOutA, "a = p;", kInA, "if (a.x < 0.5) discard; result = a;");
  CHECK(
      equal(original, pipeline(kOutA, "a = p;", kInA, "result = a.x < 0.5 ? vec4(7.0) : a; if (a.x < 0.5) discard;")));
  CHECK_FALSE(equal(original, pipeline(kOutA, "a = p;", kInA, "result = a;")));
  CHECK_FALSE(equal(original, pipeline(kOutA, "a = p;", kInA, "if (a.x < 0.25) discard; result = a;")));
}

// allows: R-11.4
// forbids: R-11.4
TEST_CASE("branches are choices, however they are written", "[prove]") {
  const Pipeline original = pipeline(
      kOutA, "a = p;", kInA, "vec4 x = a; if (a.x < 0.5) { x = a * 2.0; if (a.y < 0.5) x = a.wzyx; } result = x;");
  CHECK(equal(original, pipeline(kOutA, "a = p;", kInA,
                                 "if (a.x >= 0.5) {} result = !(a.x < 0.5) ? a : a.y < 0.5 ? a.wzyx : a * 2.0;")));
  CHECK_FALSE(
      equal(original, pipeline(kOutA, "a = p;", kInA, "result = !(a.x < 0.5) ? a : a.y < 0.5 ? a * 2.0 : a.wzyx;")));
}

// allows: R-11.12
// forbids: R-11.12
TEST_CASE("a loop with a constant trip count is its iterations", "[prove]") {
  const Pipeline original = pipeline(
      kOutA, "a = p;", kInA, "float s = 0.0; for (int i = 0; i < 3; ++i) s += a[i] * u.table[i].x; result = vec4(s);");
  CHECK(equal(original, pipeline(kOutA, "a = p;", kInA,
                                 "result = vec4(a.x * u.table[0].x + a.y * u.table[1].x + a.z * u.table[2].x);")));
  CHECK_FALSE(
      equal(original, pipeline(kOutA, "a = p;", kInA, "result = vec4(a.x * u.table[0].x + a.y * u.table[1].x);")));
}

TEST_CASE("values leave a loop in different iterations", "[prove]") {
  const Pipeline original = pipeline(
      kOutA, "a = p;", kInA, "int i = 0; for (; i < 3; ++i) { if (a[i] < 0.5) break; } result = vec4(float(i));");
  CHECK(equal(original, pipeline(kOutA, "a = p;", kInA,
                                 "result = vec4(a.x < 0.5 ? 0.0 : a.y < 0.5 ? 1.0 : a.z < 0.5 ? 2.0 : 3.0);")));
  CHECK_FALSE(equal(original, pipeline(kOutA, "a = p;", kInA, "result = vec4(3.0);")));
}

TEST_CASE("a loop over a uniform count is the same loop in the other stage", "[prove]") {
  const std::string loop = "float s = 0.0; for (int i = 0; i < u.count; ++i) s += u.table[i & 3].x;";
  const Pipeline original = pipeline(kOutA, loop + "a = vec4(s);", kInA, "result = a;");
  CHECK(equal(original, pipeline("", "", "", loop + "result = vec4(s);"), Semantics::exact));
  CHECK_FALSE(equal(original, pipeline("", "", "",
                                       "float s = 0.0; for (int i = 1; i < u.count; ++i) s += u.table[i & 3].x;"
                                       "result = vec4(s);")));
}

// forbids: R-11.14
TEST_CASE("derivatives are not told what this invocation decided", "[prove]") {
  const Pipeline original =
      pipeline(kOutA, "a = p;", kInA, "float d = dFdx(a.x < 0.5 ? a.y : a.z); result = vec4(a.x < 0.5 ? d : 0.0);");
  CHECK_FALSE(
      equal(original, pipeline(kOutA, "a = p;", kInA, "float d = dFdx(a.y); result = vec4(a.x < 0.5 ? d : 0.0);")));
}

// forbids: R-11.14, R-8.5
TEST_CASE("derivatives are the same under the same condition only", "[prove]") {
  const auto reading = [](const std::string& frag) { return pipeline(kOutA, "a = p;", kInA, frag); };
  const Pipeline in_front = reading(
      "float d = dFdx(a.y); vec4 t = texture(image, a.zw); result = vec4(0.0);"
      "if (a.x < 0.5) result = t * d;");
  CHECK(equal(in_front, in_front));
  CHECK_FALSE(equal(in_front, reading("vec4 t = texture(image, a.zw); result = vec4(0.0);"
                                      "if (a.x < 0.5) result = t * dFdx(a.y);")));
  CHECK_FALSE(equal(in_front, reading("float d = dFdx(a.y); result = vec4(0.0);"
                                      "if (a.x < 0.5) result = texture(image, a.zw) * d;")));
  const std::string twice = "vec4 t = texture(image, a.zw); if (a.x < 0.5) discard; result = t + ";
  CHECK(equal(reading(twice + "texture(image, a.zw);"), reading(twice + "t;")));
  const Pipeline uniform = reading("result = vec4(0.0); if (u.count > 2) result = texture(image, a.zw);");
  CHECK(equal(uniform, reading("vec4 t = texture(image, a.zw); result = u.count > 2 ? t : vec4(0.0);")));
  CHECK_FALSE(equal(reading("vec4 t = texture(image, a.zw); if (a.x < 0.5) discard; result = t;"),
                    reading("if (a.x < 0.5) discard; result = texture(image, a.zw);")));
}

// allows: R-8.4
TEST_CASE("a stage may read an element without its guard up to where it reads the buffer anyway", "[prove]") {
  const auto reading = [](const std::string& head, const std::string& frag) {
    return pipeline(kOutA, "a = p;",
                    "layout(location = 0) in vec4 a;"
                    "layout(set = 0, binding = 3) uniform V { vec4 first[2]; float middle; vec4 last[2]; } v;",
                    head + frag);
  };
  const std::string guarded = "vec4 t = a; if (a.x > 0.5) t = ", certain = "float m = v.middle; result = vec4(m);";
  CHECK(equal(reading(certain, guarded + "v.first[1]; result += t;"),
              reading(certain, "vec4 e = v.first[1]; result += a.x > 0.5 ? e : a;")));
  CHECK_FALSE(equal(reading(certain, guarded + "v.last[1]; result += t;"),
                    reading(certain, "vec4 e = v.last[1]; result += a.x > 0.5 ? e : a;")));
  const std::string uncertain = "result = vec4(0.0); if (a.y > 0.5) result.x = v.middle;";
  CHECK_FALSE(equal(reading(uncertain, guarded + "v.first[1]; result += t;"),
                    reading(uncertain, "vec4 e = v.first[1]; result += a.x > 0.5 ? e : a;")));
}

// forbids: R-11.1
TEST_CASE("constants whose product is out of range do not become infinite or nothing", "[prove]") {
  const auto scaled = [](const std::string& by) {
    return pipeline(kOutA, "a = p;", kInA, "result = exp2(a)" + by + ";");
  };
  CHECK_FALSE(equal(scaled("*1e30*1e20*1e-13*1e-13"), scaled("*1e30*1e20*3e-13*1e-13")));
  CHECK_FALSE(equal(scaled("*1e-30*1e-20*1e13*1e13"), scaled("*0.0")));
  CHECK(equal(scaled("*1e30*1e20*1e-13*1e-13"), scaled("*1e30*1e20*1e-13*1e-13")));
  CHECK(equal(scaled("*4.0*0.5"), scaled("*2.0")));
}

TEST_CASE("the length of an array is one of its stride and offset", "[prove]") {
  const auto of = [](const std::string& members) {
    return pipeline(kOutA, "a = p;", kInA + "layout(set = 0, binding = 2) buffer B { " + members + " } b;",
                    "result = a * float(b.data.length());");
  };
  CHECK(equal(of("vec4 first; vec4 data[];"), of("vec2 first; vec2 second; vec4 data[];")));
  CHECK_FALSE(equal(of("vec4 data[];"), of("vec2 data[];")));
  CHECK_FALSE(equal(of("vec4 data[];"), of("vec4 first; vec4 data[];")));
}

TEST_CASE("an array that chooses its resource per invocation is not one that does so per subgroup", "[prove]") {
  const std::string head =
      "#version 460\n#extension GL_EXT_nonuniform_qualifier : require\nlayout(location = 0) out vec4 result;"
      "layout(set = 0, binding = 2) uniform sampler2D images[8]; layout(location = 0) flat in int i;";
  const std::string vert =
      "#version 460\nlayout(location = 0) in vec4 p; layout(location = 1) in int n; layout(location = 0) flat out int "
      "i;"
      "void main() { gl_Position = p; i = n; }";
  const Pipeline original(vert, head + "void main() { result = texture(images[nonuniformEXT(i)], vec2(0.5)); }");
  const Pipeline same(vert,
                      head + "void main() { vec4 x = texture(images[nonuniformEXT(i)], vec2(0.5)); result = x; }");
  CHECK(equal(original, same));
  CHECK_FALSE(equal(original, Pipeline(vert, head + "void main() { result = texture(images[i], vec2(0.5)); }")));
}

// allows: R-11.10
// forbids: R-11.10
TEST_CASE("stores to buffers count, with their order", "[prove]") {
  const std::string buffer = "layout(set = 0, binding = 3) buffer B { vec4 data[]; } b;";
  const auto storing = [&](const std::string& code) {
    return pipeline(kOutA, "a = p;", kInA + buffer, code + " result = a;");
  };
  const Pipeline original = storing("b.data[0] = a; b.data[1] = a.yyyy;");
  CHECK(equal(original, storing("b.data[0] = a * 1.0; b.data[1] = a.yyyy;")));
  CHECK_FALSE(equal(original, storing("b.data[0] = a;")));
  CHECK_FALSE(equal(original, storing("b.data[1] = a.yyyy; b.data[0] = a;")));
}

// allows: R-11.15
// forbids: R-11.15
TEST_CASE("memory qualifiers of buffers, of their members and of images count", "[prove]") {
  const auto storing = [](const std::string& qualifiers, const std::string& member = "", const std::string& code = "") {
    return pipeline(kOutA, "a = p;",
                    kInA + "layout(set = 0, binding = 3, std430) " + qualifiers + " buffer B { float x; " + member +
                        " float y; } b; layout(set = 0, binding = 4, r32f) uniform " + qualifiers + " image2D i;",
                    "b.y = a.y; imageStore(i, ivec2(0), a); result = a" + code + ";");
  };
  const Pipeline plain = storing("");
  CHECK(equal(plain, storing("", "", " * 1.0")));
  for (const std::string qualifier : {"coherent", "restrict"}) {
    CHECK(equal(storing(qualifier), storing(qualifier, "", " * 1.0")));
    CHECK(proof_of(storing(qualifier), plain).reason.find("with other memory qualifiers: none") != std::string::npos);
    CHECK(proof_of(plain, storing(qualifier)).reason.find("with other memory qualifiers: ") != std::string::npos);
    CHECK_FALSE(equal(storing("", qualifier), plain));
    CHECK_FALSE(equal(plain, storing("", qualifier)));
  }
  const auto reading = [](const std::string& qualifiers) {
    return pipeline(kOutA, "a = p;",
                    kInA + "layout(set = 0, binding = 3, std430) " + qualifiers + " buffer B { float x; } b;",
                    "result = a * b.x;");
  };
  CHECK(equal(reading("readonly"), reading("readonly")));
  CHECK_FALSE(equal(reading("readonly"), reading("")));
  CHECK_FALSE(equal(reading(""), reading("readonly")));
}

TEST_CASE("what is volatile has no reading, images and copies among it", "[prove]") {
  const auto reading = [](const std::string& qualifier, const std::string& code) {
    return pipeline(kOutA, "a = p;", kInA + "layout(set = 0, binding = 4, r32f) uniform " + qualifier + " image2D i;",
                    code);
  };
  const std::string twice = "result = a * imageLoad(i, ivec2(0)).x * imageLoad(i, ivec2(0)).x;";
  const std::string once = "float x = imageLoad(i, ivec2(0)).x; result = a * x * x;";
  CHECK(equal(reading("", twice), reading("", once)));
  CHECK(proof_of(reading("volatile", twice), reading("volatile", once)).reason == "a volatile read");
}

TEST_CASE("no precision may shrink in a pipeline without relaxed precision", "[prove]") {
  const auto reading = [](const std::string& precision, const std::string& code) {
    return pipeline(kOutA, "a = p;", "layout(location = 0) in " + precision + " vec4 a;", code);
  };
  const Pipeline full = reading("highp", "result = a;");
  CHECK(equal(reading("mediump", "result = a;"), reading("mediump", "result = 1.0 * a;")));
  CHECK(equal(reading("mediump", "result = a;"), full));
  CHECK(proof_of(full, reading("mediump", "result = a;")).reason == "RelaxedPrecision, which no original stage has");
}

// allows: R-11.13
// forbids: R-11.13
TEST_CASE("a proof says whether it needs that undefined values may be anything", "[prove]") {
  const auto choosing = [](const std::string& before, const std::string& branch) {
    return pipeline(kOutA, "a = p;", kInA, "vec4 x" + before + "; if (a.x < 0.5) x = a; " + branch + " result = x;");
  };
  const Pipeline everywhere = pipeline(kOutA, "a = p;", kInA, "result = a * 1.0;");
  const Proof undefined = proof_of(choosing("", ""), everywhere);
  CHECK(undefined.verdict == Verdict::proved);
  CHECK(undefined.relies_on_undefined);
  CHECK_FALSE(equal(choosing(" = vec4(0.25)", ""), everywhere));
  // What is undefined decides, and the linked pipeline has the value of the other way.
  const Pipeline undecided =
      pipeline(kOutA, "a = p;", kInA, "int n; vec4 y, x = vec4(1); if ((n & 3) < 2) x = y; result = x;");
  CHECK(proof_of(undecided, pipeline(kOutA, "a = p;", kInA, "result = vec4(0);")).verdict != Verdict::refuted);
  CHECK(proof_of(undecided, pipeline(kOutA, "a = p;", kInA, "result = vec4(1);")).verdict == Verdict::proved);
  const Proof defined = proof_of(choosing("", "else x = a;"), everywhere);
  CHECK(defined.verdict == Verdict::proved);
  CHECK_FALSE(defined.relies_on_undefined);
}

// allows: R-11.11
// forbids: R-11.11
TEST_CASE("no element is read that the original one does not ask for", "[prove]") {
  const auto reading = [](const std::string& code) {
    return pipeline(kOutA, "a = p;",
                    kInA +
                        "layout(set = 0, binding = 3, std430) readonly buffer B { vec4 v[]; } b;"
                        "layout(set = 0, binding = 5) uniform sampler2D images[4];",
                    code + " result = x;");
  };
  const Pipeline guarded = reading("vec4 x = a; if (u.count > 9) x = b.v[9];");
  CHECK(equal(guarded, reading("vec4 x; if (u.count <= 9) x = a; else x = b.v[9] * 1.0;")));
  const Proof always = proof_of(guarded, reading("vec4 y = b.v[9]; vec4 x = a; if (u.count > 9) x = y;"));
  CHECK(always.verdict == Verdict::not_proved);
  CHECK(always.reason.find("could not be shown to happen in the original, too") != std::string::npos);
  CHECK(equal(reading("vec4 y = b.v[9]; vec4 x = a; if (u.count > 9) x = y;"), guarded));
  const Pipeline loop = reading("vec4 x = a; if (a.x > 0.5) for (int i = 0; i < u.count; ++i) x += b.v[i];");
  CHECK(equal(loop, reading("vec4 x = a; if (a.x > 0.5) for (int i = 0; i < u.count; ++i) x += 1.0 * b.v[i];")));
  CHECK_FALSE(equal(loop, reading("vec4 x = a, y = a; for (int i = 0; i < u.count; ++i) y += b.v[i];"
                                  "if (a.x > 0.5) x = y;")));
  const Pipeline chosen = reading("vec4 x = a; if (u.count < 4) x = textureLod(images[u.count], a.xy, 0.0);");
  CHECK(equal(chosen, reading("vec4 x = a; if (u.count < 4) x = 1.0 * textureLod(images[u.count], a.xy, 0.0);")));
  CHECK_FALSE(equal(chosen, reading("vec4 x = textureLod(images[u.count], a.xy, 0.0); if (u.count >= 4) x = a;")));
}

TEST_CASE("a constant index behind the end of an array has no reading, in whichever stage", "[prove]") {
  const Pipeline vertex_reads(
      "layout(location = 0) in vec4 p; layout(set = 0, binding = 0) uniform U { vec4 v[4]; } u;"
      "layout(location = 0) out vec4 a; void main() { gl_Position = p; a = u.v[3]; }",
      "layout(set = 0, binding = 0) uniform U { vec4 v[4]; } u; layout(location = 0) in vec4 a;"
      "layout(location = 0) out vec4 result; void main() { result = a; }");
  const auto moved = [](const std::string& length) {
    return Pipeline("layout(location = 0) in vec4 p; void main() { gl_Position = p; }",
                    "layout(set = 0, binding = 0) uniform U { vec4 v[" + length +
                        "]; } u; layout(location = 0) out vec4 result;"
                        "void main() { int i = 3; result = u.v[i]; }");
  };
  CHECK(equal(vertex_reads, moved("4")));
  CHECK(proof_of(vertex_reads, moved("2")).reason == "an element behind the end of its array");
}

// allows: R-11.2, R-11.3, R-11.14
// forbids: R-11.2, R-11.3
TEST_CASE("precise sums, shifts and derivatives equal themselves only", "[prove]") {
  const auto storing = [](const std::string& code, const std::string& read = "result = a;") {
    return pipeline(kOutA, code, kInA, read);
  };
  const Pipeline precise = storing("precise float x = p.x + p.y; precise float y = x + p.z; a = vec4(y);");
  CHECK(equal(precise, storing("precise float y = p.x + p.y; precise float x = y + p.z; a = vec4(x);")));
  CHECK_FALSE(equal(precise, storing("a = vec4(p.x + (p.y + p.z));")));
  const Pipeline shifted = storing("a = vec4(floatBitsToInt(p.x) >> 4);");
  CHECK(equal(shifted, storing("int i = floatBitsToInt(p.x); a = vec4((i * 3 - 2 * i) >> (1 + 3));")));
  CHECK_FALSE(equal(shifted, storing("a = vec4(int(floatBitsToUint(p.x) >> 4));")));
  CHECK(equal(storing("a = p;", "float x = a.y; if (a.z > 0.0) x = 1.0; result = dFdx(a) + x;"),
              storing("a = p;", "result = vec4(a.z > 0.0 ? 1.0 : a.y) + dFdx(a);")));
}

// allows: R-11.18
// forbids: R-11.18
TEST_CASE("quotient and remainder of an element's number choose that element", "[prove]") {
  const auto reading = [](const std::string& table, const std::string& code) {
    return pipeline(kOutA, "a = p;", kInA,
                    table + " t = " + table + "(" +
                        (table.starts_with("float")  ? "a.x, a.y, a.z, a.w, a.x + a.y, a.z * a.w"
                         : table.starts_with("vec2") ? "a.xy, a.zw, vec2(a.x + a.y, a.z * a.w)"
                                                     : "a.xyz, vec3(a.w, a.x + a.y, a.z * a.w)") +
                        "); int n = u.count; uint i = uint(n), q = i / 3u;" + code);
  };
  const Pipeline element = reading("float[6]", "result = vec4(t[i]);");
  const auto same = [&](const std::string& table, const std::string& code) {
    return equal(element, reading(table, "result = vec4(" + code + ");"));
  };
  CHECK(same("vec3[2]", "t[q][i - q * 3u]"));
  CHECK(same("vec3[2]", "t[q][i % 3u]"));
  CHECK(same("vec3[2]", "t[n / 3][n - n / 3 * 3]"));
  CHECK(same("vec2[3]", "t[i >> 1][i & 1u]"));
  CHECK_FALSE(same("vec3[2]", "t[q][i & 3u]"));
  CHECK_FALSE(same("vec3[2]", "t[q][i - q * 2u]"));
  CHECK_FALSE(same("vec3[2]", "t[i >> 1][i & 1u]"));
  CHECK_FALSE(same("vec2[3]", "t[n / 2][n & 1]"));
  CHECK_FALSE(same("vec2[3]", "t[(i + 1u) >> 1][i & 1u]"));

  const Pipeline stored = reading("float[6]", "t[i] = 7.0; result = vec4(t[0], t[3], t[4], t[5]);");
  const auto stores = [&](const std::string& code) {
    return equal(stored, reading("vec3[2]", code + " result = vec4(t[0].x, t[1]);"));
  };
  CHECK(stores("t[q][i - q * 3u] = 7.0;"));
  CHECK_FALSE(stores("t[q][(i + 1u) % 3u] = 7.0;"));

  const auto of_pairs = [](const std::string& code) {
    return pipeline(kOutA, "a = p;", kInA, "uint i = uint(u.count); " + code);
  };
  const Pipeline pairs = of_pairs("vec2 t[4] = vec2[4](a.xy, a.zw, a.yx, a.wz); result = t[i].yxyx;");
  const std::string rows = "vec4 t[2] = vec4[2](a, a.yxwz); uint q = i >> 1, r = (i & 1u) * 2u;";
  CHECK(equal(pairs, of_pairs(rows + "result = vec2(t[q][r + 1u], t[q][r]).xyxy;")));
  CHECK_FALSE(equal(pairs, of_pairs(rows + "result = vec2(t[q][r], t[q][r + 1u]).xyxy;")));
}

TEST_CASE("execution modes and the position count", "[prove]") {
  const Pipeline original = pipeline(kOutA, "a = p;", kInA, "result = a;");
  CHECK_FALSE(equal(original, pipeline(kOutA, "a = p; gl_Position.w = 1.0;", kInA, "result = a;")));
  CHECK_FALSE(equal(original, pipeline(kOutA, "a = p;", "layout(early_fragment_tests) in;" + kInA, "result = a;")));
}

TEST_CASE("a stage may not need more of the outside than it did", "[prove]") {
  const Pipeline original = pipeline(kOutA, "a = p + u.table[0];", kInA, "result = a;");
  const auto reason = [&](const Pipeline& linked) { return proof_of(original, linked).reason; };
  const std::string buffer = "layout(set = 0, binding = 7) uniform V { float x; } v;";
  CHECK(reason(pipeline(kOutA, "a = p + u.table[0];", buffer + kInA, "result = a + v.x;")) ==
        "frag uses set 0, binding 7, uniform buffer, which it did not declare");
  CHECK(reason(pipeline("layout(location = 2) in vec4 r;" + kOutA, "a = p + u.table[0] + r;", kInA, "result = a;")) ==
        "vert reads an attribute at location 2.0 that it did not declare so");
  CHECK(reason(pipeline(kOutA, "a = p + u.table[0];", kInA + "layout(location = 1) out vec4 second;",
                        "result = a; second = a;")) == "frag declares other outputs");
  const Pipeline invariant = pipeline(kOutA + "invariant gl_Position;", "a = p;", kInA, "result = a;");
  CHECK(proof_of(invariant, pipeline(kOutA, "a = p * 1.0;", kInA, "result = a;")).reason ==
        "vert lost Invariant of an output");
}

TEST_CASE("what has no reading is not proved, and says so", "[prove]") {
  const std::string buffer = "layout(set = 0, binding = 3) volatile buffer B { vec4 data[]; } b;";
  const Pipeline original = pipeline(kOutA, "a = p;", kInA + buffer, "result = a + b.data[0];");
  const Proof proof = proof_of(original, pipeline(kOutA, "a = p;", kInA + buffer, "result = b.data[0] + a;"));
  CHECK(proof.verdict == Verdict::not_proved);
  CHECK(proof.reason == "a volatile read");
}

TEST_CASE("what differs by arithmetic alone is refuted with a witness", "[prove]") {
  const Pipeline original = pipeline(kOutA, "a = p;", kInA, "result = a * u.strength;");
  const Proof swapped = proof_of(original, pipeline(kOutA, "a = p;", kInA, "result = a.yxzw * u.strength;"));
  CHECK(swapped.verdict == Verdict::refuted);
  CHECK(swapped.findings.at(0).witness.find(" became ") != std::string::npos);
  const Proof texture = proof_of(pipeline(kOutA, "a = p;", kInA, "result = texture(image, a.xy);"),
                                 pipeline(kOutA, "a = p;", kInA, "result = texture(image, a.yx);"));
  CHECK(texture.verdict == Verdict::not_proved);
}

TEST_CASE("the finding names the output and the smallest terms that differ", "[prove]") {
  const Pipeline original = pipeline(kOutA, "a = p;", kInA, "result = vec4(floor(a.x), a.yzw);");
  const Proof proof = proof_of(original, pipeline(kOutA, "a = p;", kInA, "result = vec4(floor(a.y), a.yzw);"));
  REQUIRE(proof.findings.size() == 1);
  CHECK(proof.findings[0].what == "output 0.x");
  CHECK(proof.findings[0].original == "attribute 0 0 0");
  CHECK(proof.findings[0].linked == "attribute 0 1 0");
}

}  // namespace
}  // namespace varylink::prove
