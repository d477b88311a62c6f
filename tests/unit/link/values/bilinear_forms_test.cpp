#include "link/values/bilinear_forms.h"

#include "driver/prepare.h"
#include "spirv/ir/globals.h"
#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/shader.h"

namespace varylink::link {
namespace {

// The vertices that have the weight at the corners of what an evaluation shader stores: "0 1 3 2", "one value" for a
// sum of the value of vertex 0 with itself, or "none". u and v are the coordinates, a the input.
std::string corners_of(const std::string& sum) {
  const std::string glsl = R"(
      layout(quads) in;
      layout(location = 0) in float a[];
      layout(location = 0) out float f;
      void main() {
        float u = gl_TessCoord.x, v = gl_TessCoord.y;
        f = )" + sum + "; }";
  const std::vector<std::uint32_t> words = spirv::write_module(test::module_from_glsl(Stage::tess_eval, glsl));
  auto stage = driver::read_stage("test", Stage::tess_eval, words, "");
  REQUIRE(stage);
  driver::prepare(*stage);
  const spirv::Module& module = stage->module;
  const spirv::Uses uses(module);
  PatchValues values(*stage, find_tess_coord(*stage));
  for (const varyings::InterfaceVariable& input :
       varyings::interface_variables(module, stage->entry, varyings::Direction::input))
    if (!input.leaves.empty()) values.add_input(input.id, varyings::accesses_of(module, uses, input.id));
  values.run();
  const auto are_inputs = [&](graph::ValueId x, graph::ValueId y) {
    return x != graph::kNoValue && y != graph::kNoValue && values.is_input(x) && values.is_input(y);
  };
  const BilinearForms forms(values, are_inputs);
  spirv::Id stored = 0;
  for (const spirv::Block& block : module.functions.front().blocks)
    for (const spirv::InstRef inst : block.body)
      if (module[inst].op == spv::Op::OpStore) stored = module.operand(inst, 1).word;
  const BilinearForms::Form& form = forms[values.ref(stored, 0)];
  if (form.size() == 1 && form.front().second == kOne)
    return values.is_input(form.front().first) ? "one value" : "none";
  const auto corners = BilinearForms::corners(form);
  if (!corners) return "none";
  std::string text;
  for (const graph::ValueId vertex : *corners)
    text += (text.empty() ? "" : " ") + std::to_string(values.graph()[vertex].words[1]);
  return text;
}

TEST_CASE("interpolation between corners is known however it is written", "[bilinear]") {
  CHECK(corners_of("mix(mix(a[0], a[1], u), mix(a[3], a[2], u), v)") == "0 1 3 2");
  CHECK(corners_of("mix(mix(a[0], a[3], v), mix(a[1], a[2], v), u)") == "0 1 3 2");
  CHECK(corners_of("a[0] * ((1.0 - u) * (1.0 - v)) + a[1] * (u * (1.0 - v)) + a[2] * u * v + a[3] * (v - u * v)") ==
        "0 1 3 2");
  CHECK(corners_of("fma(v, a[2] - a[0], a[0])") == "0 0 2 2");
  CHECK(corners_of("a[1] - u * (a[1] - a[2])") == "1 2 1 2");
  CHECK(corners_of("mix(mix(a[0], a[0], u), mix(a[0], a[0], u), v)") == "one value");
}

TEST_CASE("weights of other kinds are none", "[bilinear]") {
  CHECK(corners_of("mix(mix(a[0], a[1], u), mix(a[3], a[2], u), u)") == "none");
  CHECK(corners_of("a[0] * u + a[1] * v") == "none");
  CHECK(corners_of("mix(a[0], a[1], u) * 2.0") == "none");
  CHECK(corners_of("mix(a[0], a[1], u) + 1.0") == "none");
  CHECK(corners_of("mix(a[0], a[1], gl_TessCoord.z)") == "none");
  CHECK(corners_of("mix(a[0], a[1], u * 0.5)") == "none");
  CHECK(corners_of("a[0] * (1.0 - 100.0 * u) + a[1] * (100.0 * u)") == "none");
}

}  // namespace
}  // namespace varylink::link
