// Task and mesh stages. The oracle starts four workgroups of the first stage.
#include <set>
#include <string>

#include "fuzz/stages.h"

namespace varylink::fuzz {
namespace {

constexpr int kVertices = 6;  // two triangles, which fill a cell of the picture

Statement pinned(Statement value) {
  value.pinned = true;
  return value;
}

// The same in both stages.
void declare_payload(StageBuilder& builder) {
  builder.add_declaration("struct Payload { vec4 pl_a; vec3 pl_b; float pl_f; int pl_n; uint pl_u; vec2 pl_v[3]; };");
  builder.add_declaration("taskPayloadSharedEXT Payload payload;");
}

// Tells the mesh stage which cell it draws.
const std::string kGroupMember = "pl_n";

struct PayloadMember {
  std::string name;
  Type type;
};
const std::vector<PayloadMember>& payload_members() {
  static const std::vector<PayloadMember> members = {
      {"pl_a", simple_type(Base::float32, 4)},    {"pl_b", simple_type(Base::float32, 3)},
      {"pl_f", simple_type(Base::float32, 1)},    {"pl_n", simple_type(Base::sint32, 1)},
      {"pl_u", simple_type(Base::uint32, 1)},     {"pl_v[0]", simple_type(Base::float32, 2)},
      {"pl_v[1]", simple_type(Base::float32, 2)}, {"pl_v[2]", simple_type(Base::float32, 2)},
  };
  return members;
}

// Vertex `vertex` of workgroup "wg": a corner of the first or second triangle of the cell.
void add_vertex(StageBuilder& builder, Block& block, const std::string& vertex) {
  block.push_back(pinned(statement("int vk = int(" + vertex + ") % 3;")));
  block.push_back(pinned(statement("vec2 vp = vec2(float(vk & 1), float(vk >> 1));")));
  block.push_back(pinned(statement("if (" + vertex + " >= 3) vp = 1.0 - vp;")));
  block.push_back(pinned(statement("vec2 vo = vec2(-0.95) + 0.95 * vec2(float(wg & 1), float((wg >> 1) & 1));")));
  const std::string w = builder.exact() ? "1.0" : "(1.0 + 0.375 * float(" + vertex + " % 5))";
  block.push_back(
      pinned(statement("gl_MeshVerticesEXT[" + vertex + "].gl_Position = vec4(vo + 0.9 * vp, 0.5, 1.0) * " + w + ";")));
}

// Outputs of other elements than that which the invocation has the number of, or of all of them one component. Returns
// these.
std::set<const Varying*> write_by_others(StageBuilder& builder, const Interface& outputs, Block& block,
                                         const std::string& index, bool per_primitive) {
  std::set<const Varying*> written;
  const std::string count = per_primitive ? "2" : std::to_string(kVertices);
  for (const Varying& varying : outputs.varyings) {
    if (varying.patch != per_primitive || varying.witness || !builder.roll("other-invocations")) continue;
    written.insert(&varying);
    const std::string other = builder.fresh("k");
    if (!per_primitive && may_be_stored_by_all(varying) && builder.random().chance(0.4)) {
      const std::string target = output_text(outputs, varying, other);
      block.push_back(
          pinned(statement("for (int " + other + " = 0; " + other + " < " + count + "; ++" + other + ") @0", {},
                           {store_component_of_invocation(builder, varying.type, target, index, kVertices)})));
      continue;
    }
    block.push_back(pinned(statement("int " + other + " = (" + index + " + 1) % " + count + ";")));
    VaryingWriter(builder, outputs, other).write(block, varying);
  }
  return written;
}

}  // namespace

StageModel build_task(Build& build) {
  StageBuilder builder(build, Stage::task);
  builder.add_declaration("#extension GL_EXT_mesh_shader : require");
  builder.add_declaration("layout(local_size_x = 1) in;");
  declare_payload(builder);
  builder.add_resources(0.5);
  const Symbol group{"int(gl_WorkGroupID.x)", simple_type(Base::sint32, 1), 1.0};
  builder.expressions.scope.push_back(group);
  Block& block = builder.model.main;
  builder.add_unusual(block);
  for (const PayloadMember& member : payload_members()) {
    Expr value = builder.expressions.make(member.type, 3);
    if (builder.roll("constant")) value = builder.expressions.make_constant(member.type);
    if (member.name == kGroupMember) value = leaf(member.type, group.text);
    block.push_back(pinned(statement("payload." + member.name + " = $0;", {value})));
  }
  block.push_back(pinned(statement("EmitMeshTasksEXT(1, 1, 1);")));
  return std::move(builder.model);
}

StageModel build_mesh(Build& build, const Interface& outputs, bool has_task) {
  StageBuilder builder(build, Stage::mesh);
  const bool loop = builder.roll("emit-loop");
  builder.add_declaration("#extension GL_EXT_mesh_shader : require");
  builder.add_declaration("layout(local_size_x = " + std::to_string(loop ? 1 : kVertices) + ") in;");
  builder.add_declaration("layout(triangles, max_vertices = 6, max_primitives = 2) out;");
  if (has_task) declare_payload(builder);
  builder.add_resources(0.6);
  builder.add_declarations(declare_outputs(outputs, builder.roll("output-interpolation")));
  auto& scope = builder.expressions.scope;
  Block& block = builder.model.main;
  std::string payload = "payload.";
  if (has_task && builder.roll("payload-copy")) {
    payload = "pc.";
    block.push_back(pinned(statement("Payload pc = payload;")));
  }
  if (has_task)
    for (const PayloadMember& member : payload_members())
      scope.push_back({payload + member.name, member.type, kMaxBound});
  // With a task stage every workgroup of it starts one of the mesh stage, which then is the first.
  const std::string group = has_task ? payload + kGroupMember : "int(gl_WorkGroupID.x)";
  block.push_back(pinned(statement("int wg = " + group + ";")));
  scope.push_back({"wg", simple_type(Base::sint32, 1), 1.0});
  builder.add_unusual(block);
  block.push_back(pinned(statement("SetMeshOutputsEXT(6u, 2u);")));
  const std::vector<Symbol> convergent = scope;

  const auto write = [&](Block& target, const std::string& index, bool per_primitive) {
    const std::size_t visible = scope.size();
    scope.push_back({index, simple_type(Base::sint32, 1), 1.0});
    VaryingWriter writer(builder, outputs, index);
    writer.convergent = convergent;
    writer.witness = "(vp + vec2(0.125 * float(wg), 0.25))";
    writer.left_out = write_by_others(builder, outputs, target, index, per_primitive);
    writer.write_all(target, per_primitive);
    scope.resize(visible);
  };
  Block vertices, primitives;
  add_vertex(builder, vertices, "vi");
  write(vertices, "vi", false);
  primitives.push_back(
      pinned(statement("gl_PrimitiveTriangleIndicesEXT[pi] = uvec3(3 * pi, 3 * pi + 1, 3 * pi + 2);")));
  write(primitives, "pi", true);
  if (loop) {
    block.push_back(pinned(statement("for (int vi = 0; vi < 6; ++vi) @0", {}, {std::move(vertices)})));
    block.push_back(pinned(statement("for (int pi = 0; pi < 2; ++pi) @0", {}, {std::move(primitives)})));
  } else {
    block.push_back(pinned(statement("int vi = int(gl_LocalInvocationIndex), pi = vi;")));
    block.insert(block.end(), vertices.begin(), vertices.end());
    block.push_back(pinned(statement("if (pi < 2) @0", {}, {std::move(primitives)})));
  }
  return std::move(builder.model);
}

}  // namespace varylink::fuzz
