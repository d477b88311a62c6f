// Decorations that no GLSL is compiled to, put on modules of GLSL: what the linked stages may have of them, and what
// not.
#include "spirv/ir/globals.h"
#include "support/catch.h"
#include "unit/services/prove/stages.h"

namespace varylink::prove {
namespace {

constexpr const char* kVertex =
    "layout(location = 0) in vec4 p; layout(location = 0) out vec4 a; void main() { a = p; }";

// A fragment shader of GLSL whose results of `op` are decorated.
struct Decorated {
  spv::Op op = spv::Op::OpNop;
  std::vector<spv::Decoration> decorations;
};

std::vector<std::uint32_t> words_of(Stage stage, const std::string& glsl, const Decorated& what) {
  spirv::Module module = test::module_from_glsl(stage, glsl);
  for (spirv::Id id = 1; id < module.bound; ++id) {
    if (module.def_op(id) != what.op) continue;
    for (const spv::Decoration decoration : what.decorations)
      if (decoration == spv::Decoration::FPFastMathMode)
        spirv::decorate(module, id, decoration, static_cast<std::uint32_t>(spv::FPFastMathModeMask::NotNaN));
      else
        spirv::decorate(module, id, decoration);
  }
  return spirv::write_module(module);
}

struct Fragment {
  std::string glsl;
  Decorated decorated;
};

Proof proof_of(const Fragment& original, const Fragment& linked) {
  const std::vector<std::uint32_t> vertex = words_of(Stage::vertex, kVertex, {});
  const std::vector<std::uint32_t> before = words_of(Stage::fragment, original.glsl, original.decorated);
  const std::vector<std::uint32_t> after = words_of(Stage::fragment, linked.glsl, linked.decorated);
  const StageWords first{Stage::vertex, vertex, ""};
  const StageWords stages[] = {first, {Stage::fragment, before, ""}};
  const StageWords others[] = {first, {Stage::fragment, after, ""}};
  return prove(stages, others, {});
}

// The same fragment shader twice, written so that its words differ.
std::string fragment(const std::string& expression, bool again) {
  return "layout(location = 0) in vec4 a; layout(location = 0) out vec4 result;"
         "layout(set = 0, binding = 0, std430) buffer B { float x; ivec2 n; } b; void main() { result = " +
         expression + (again ? " * 1.0" : "") + "; }";
}

// allows
// forbids
TEST_CASE("memory qualifiers that no GLSL writes count as those that it does", "[prove]") {
  for (const spv::Decoration qualifier : {spv::Decoration::Aliased, spv::Decoration::NonReadable}) {
    const Decorated with{spv::Op::OpVariable, {qualifier}};
    const std::string before = fragment("a * b.x", false), after = fragment("a * b.x", true);
    CHECK(proof_of({before, with}, {after, with}).verdict == Verdict::proved);
    CHECK(proof_of({before, with}, {after, {}}).reason.find("with other memory qualifiers") != std::string::npos);
    CHECK(proof_of({before, {}}, {after, with}).reason.find("with other memory qualifiers") != std::string::npos);
  }
}

// allows
// forbids
TEST_CASE("a linked stage has no permission that no original stage has", "[prove]") {
  const auto check = [](spv::Op op, const std::string& expression, spv::Decoration permission, const char* name) {
    const std::string before = fragment(expression, false), after = fragment(expression, true);
    const Decorated with{op, {permission}};
    CHECK(proof_of({before, with}, {after, with}).verdict == Verdict::proved);
    CHECK(proof_of({before, with}, {after, {}}).verdict == Verdict::proved);
    CHECK(proof_of({before, {}}, {after, with}).reason == std::string(name) + ", which no original stage has");
  };
  check(spv::Op::OpIAdd, "a * float(b.n.x + b.n.y)", spv::Decoration::NoSignedWrap, "NoSignedWrap");
  check(spv::Op::OpIAdd, "a * float(b.n.x + b.n.y)", spv::Decoration::NoUnsignedWrap, "NoUnsignedWrap");
  check(spv::Op::OpVectorTimesScalar, "a * b.x", spv::Decoration::FPFastMathMode, "FPFastMathMode");
}

// allows
// forbids
TEST_CASE("a cast of the bits of a cast is one cast", "[prove]") {
  const auto shader = [](const std::string& number) { return Fragment{fragment(number + " + a", false), {}}; };
  const Fragment twice = shader("float(int(floatBitsToUint(b.x * 2.0 + 1.0)))");
  CHECK(proof_of(twice, shader("float(floatBitsToInt(b.x * 2.0 + 1.0))")).verdict == Verdict::proved);
  CHECK(proof_of(twice, shader("float(floatBitsToUint(b.x * 2.0 + 1.0))")).verdict != Verdict::proved);
  CHECK(proof_of(shader("uintBitsToFloat(uint(floatBitsToInt(b.x + 1.0)))"), shader("(b.x + 1.0)")).verdict ==
        Verdict::proved);
}

}  // namespace
}  // namespace varylink::prove
