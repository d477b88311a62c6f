#include "graph/local_tables.h"

#include "support/catch.h"
#include "support/shader.h"

namespace varylink::graph {
namespace {

// Elements of the table that the last lookup in a vertex shader reads; 0 if there is none. Attributes are p and i.
std::size_t table_of(const std::string& code) {
  const std::string glsl = R"(
      layout(location = 0) in vec4 p;
      layout(location = 1) in int i;
      layout(location = 0) out vec4 k;
      void main() { )" + code +
                           " }";
  const spirv::Module module = test::module_from_glsl(Stage::vertex, glsl);
  const spirv::Function& function = module.functions.front();
  const LocalTables tables(module, function);
  std::size_t elements = 0;
  for (const spirv::Block& block : function.blocks)
    for (const spirv::InstRef inst : block.body)
      if (module[inst].op == spv::Op::OpLoad && LocalTables::may_be_lookup(module, inst)) {
        const auto lookup = tables.lookup(inst);
        elements = lookup ? lookup->elements.size() : 0;
      }
  return elements;
}

TEST_CASE("a local array is a table if each element is stored once, in front of the lookup", "[tables]") {
  CHECK(table_of("vec4 t[3] = vec4[](p, p.yxzw, vec4(1)); k = t[i];") == 3);
  CHECK(table_of("vec4 t[2]; t[0] = p; t[1] = -p; if (i > 0) k = t[i];") == 2);
  CHECK(table_of("const vec4 t[2] = vec4[](vec4(1), vec4(2)); k = t[i];") == 2);
  CHECK(table_of("mat4 t[2] = mat4[](mat4(1), mat4(2)); k = t[i][2];") == 2);
}

TEST_CASE("a local vector is a table, too", "[tables]") {
  CHECK(table_of("vec4 t = p; k = vec4(t[i]);") == 4);
  CHECK(table_of("vec2 t; t.x = p.y; t.y = p.z; k = vec4(t[i]);") == 2);
  CHECK(table_of("vec4 t = p; t.x = 1; k = vec4(t[i]);") == 0);
  CHECK(table_of("vec4 t = p; t[i] = 1; k = vec4(t[i]);") == 0);
}

TEST_CASE("no table is stored twice, in part, under a condition or later", "[tables]") {
  CHECK(table_of("vec4 t[2] = vec4[](p, -p); t[1] = p.yxzw; k = t[i];") == 0);
  CHECK(table_of("vec4 t[2] = vec4[](p, -p); t[1].x = 0; k = t[i];") == 0);
  CHECK(table_of("vec4 t[2] = vec4[](p, -p); t[i] = p; k = t[i];") == 0);
  CHECK(table_of("vec4 t[2]; t[0] = p; if (i > 0) t[1] = p; k = t[i];") == 0);
  CHECK(table_of("vec4 t[2]; t[0] = p; k = t[i]; t[1] = p;") == 0);
  CHECK(table_of("vec4 t[2]; t[0] = p; k = t[i];") == 0);
  CHECK(table_of("vec4 t[2] = vec4[](p, -p); k = vec4(t[i][i]);") == 0);
}

}  // namespace
}  // namespace varylink::graph
