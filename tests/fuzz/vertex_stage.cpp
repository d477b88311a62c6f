// The vertex stage: positions from gl_VertexIndex, values from attributes, uniforms and built-ins.
#include "fuzz/stages.h"

namespace varylink::fuzz {
namespace {

Statement pinned(Statement value) {
  value.pinned = true;
  return value;
}

// Returns the name of the first one, a vec4.
std::string add_attributes(StageBuilder& builder) {
  static const std::vector<Type> types = {simple_type(Base::float32, 4), simple_type(Base::float32, 3),
                                          simple_type(Base::float32, 2), simple_type(Base::float32, 1),
                                          simple_type(Base::float32, 4), simple_type(Base::sint32, 1),
                                          simple_type(Base::sint32, 2),  simple_type(Base::uint32, 2)};
  const int count = builder.random().range(2, 5);
  std::string first;
  for (int location = 1; location <= count; ++location) {
    const Type type = location == 1 ? types[0] : builder.random().pick(types);
    const std::string name = builder.fresh("a");
    builder.add_declaration("layout(location = " + std::to_string(location) + ") in " + declare(type, name) + ";",
                            name);
    builder.expressions.scope.push_back({name, type, 2.0});
    if (location == 1) first = name;
  }
  return first;
}

void add_position_extras(StageBuilder& builder, Block& block) {
  if (builder.roll("invariant")) builder.add_declaration("invariant gl_Position;");
  if (builder.roll("point-size")) block.push_back(statement("gl_PointSize = 1.0;"));
  if (builder.roll("clip-distance")) {
    const Expr value = builder.expressions.make(simple_type(Base::float32, 1), 1);
    block.push_back(statement("gl_ClipDistance[0] = 20.0 + clamp($0, -4.0, 4.0);", {value}));
  }
}

// Values that several varyings are computed from, so that the interfaces have something in common.
void add_shared_locals(StageBuilder& builder, Block& block) {
  const int count = builder.random().range(0, 3);
  for (int i = 0; i < count; ++i) {
    const Type type = simple_type(Base::float32, builder.random().range(1, 4));
    builder.add_local(block, builder.expressions.make(type, 3));
  }
  if (builder.roll("function")) builder.add_function_call(block);
  builder.add_unusual(block);
}

}  // namespace

void add_grid_position(StageBuilder& builder, Block& block) {
  block.push_back(pinned(statement("int vk = gl_VertexIndex % 3, vt = gl_VertexIndex / 3;")));
  block.push_back(pinned(statement("vec2 vp = vec2(float(vk & 1), float(vk >> 1));")));
  block.push_back(pinned(statement("if ((vt & 1) == 1) vp = 1.0 - vp;")));
  // The first two triangles fill the square, the others lie in a grid of 4 x 4 cells on top of them.
  block.push_back(pinned(statement("int vc = ((vt >> 1) - 1) & 15;")));
  block.push_back(pinned(statement("float vs = vt < 2 ? 1.9 : 0.475;")));
  block.push_back(
      pinned(statement("vec2 vo = vt < 2 ? vec2(-0.95) : vec2(-0.95) + 0.475 * vec2(float(vc & 3), float(vc >> 2));")));
  if (builder.exact()) {
    block.push_back(pinned(statement("gl_Position = vec4(vo + vs * vp, 0.5, 1.0);")));
    return;
  }
  block.push_back(pinned(statement("float vw = 1.0 + 0.375 * float(gl_VertexIndex % 5);")));
  block.push_back(pinned(statement("gl_Position = vec4((vo + vs * vp) * vw, 0.5 * vw, vw);")));
}

StageModel build_vertex(Build& build, const Interface& outputs) {
  StageBuilder builder(build, Stage::vertex);
  builder.add_resources(0.6);
  const std::string witness = "(vp + " + add_attributes(builder) + ".xy * 0.25)";
  builder.add_declarations(declare_outputs(outputs, builder.roll("output-interpolation")));
  auto& scope = builder.expressions.scope;
  scope.push_back({"gl_VertexIndex", simple_type(Base::sint32, 1), 1.0});
  const Symbol instance{"gl_InstanceIndex", simple_type(Base::sint32, 1), 1.0};
  scope.push_back(instance);

  Block& block = builder.model.main;
  add_grid_position(builder, block);
  add_position_extras(builder, block);
  add_shared_locals(builder, block);
  if (builder.roll("storage-buffer")) builder.add_storage_access(block);
  if (builder.roll("early-return")) {
    Block early;
    const std::size_t visible = scope.size();
    VaryingWriter writer(builder, outputs, "");
    writer.convergent = {instance};
    writer.witness = witness;
    writer.write_all(early, false);
    scope.resize(visible);
    early.push_back(statement("return;"));
    block.push_back(statement("if ($0) @0", {builder.condition()}, {std::move(early)}));
  }
  VaryingWriter writer(builder, outputs, "");
  writer.convergent = {instance};
  writer.witness = witness;
  writer.write_all(block, false);
  return std::move(builder.model);
}

}  // namespace varylink::fuzz
