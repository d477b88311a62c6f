// Tessellation and geometry stages: they read arrays of vertices and write varyings of their own.
#include <set>
#include <string>

#include "fuzz/stages.h"

namespace varylink::fuzz {
namespace {

constexpr const char* kVertices = "3";

Statement pinned(Statement value) {
  value.pinned = true;
  return value;
}

// Whether the stage has a loose variable for it, which is an array of vertices.
bool is_array_of_vertices(const Varying& varying) {
  return varying.block < 0 && !varying.patch && varying.read && varying.type.is_simple() &&
         varying.written_rows >= varying.type.rows;
}

// All vertices go to a local array first, as HLSL's InputPatch has it.
void read_copy(StageBuilder& builder, const Varying& varying, Block& block, const std::string& array,
               const std::string& index) {
  Type type = varying.type;
  type.dims = {builder.model.stage == Stage::geometry ? 3 : 32};
  const std::string copy = builder.fresh("r");
  const std::string length = builder.model.stage == Stage::geometry ? kVertices : "gl_MaxPatchVertices";
  block.push_back(statement(glsl_name(varying.type) + " " + copy + "[" + length + "] = $0;", {leaf(type, array)}));
  builder.add_local(block, builder.expressions.tame(leaf(varying.type, copy + "[" + index + "]", varying.bound)));
}

// Reads every input at the given vertex into locals that are in scope from here on.
void read_inputs(StageBuilder& builder, const Interface& inputs, Block& block, const std::string& index) {
  VaryingReader reader(builder, inputs);
  for (const Varying& varying : inputs.varyings) {
    std::string vertex = index;
    if (builder.roll("vertex-shuffle"))
      vertex = builder.random().chance(0.5) ? "1" : "(" + index + " + 1) % " + kVertices;
    if (is_array_of_vertices(varying) && builder.roll("vertex-copies")) {
      read_copy(builder, varying, block, input_text(inputs, varying, ""), vertex);
      continue;
    }
    for (const Expr& value : reader.read(block, varying, vertex))
      builder.add_local(block, builder.expressions.tame(value));
  }
}

bool is_whole_vertex_output(const Varying& varying) {
  return !varying.patch && varying.type.is_simple() && varying.written_rows >= varying.type.rows;
}

// Of outputs of one invocation, all stored as a whole: one gets a uniform, of which a part is read before another
// uniform replaces it. What was read goes into the next one.
void replace_read_output(StageBuilder& builder, const Interface& outputs, const std::vector<const Varying*>& owned,
                         const std::string& vertex, Block& block) {
  for (std::size_t i = 0; i + 1 < owned.size(); ++i) {
    const Type& type = owned[i]->type;
    if (type.base != Base::float32 || owned[i + 1]->type.base != Base::float32 || type.rows < 2) continue;
    if (!builder.roll("output-replaced")) continue;
    const std::string own = output_text(outputs, *owned[i], vertex), next = output_text(outputs, *owned[i + 1], vertex);
    block.push_back(statement(own + " = $0;", {builder.expressions.make_uniform(type, 1)}));
    // With three vertices the minimum is the invocation itself, which no store forwarding sees.
    const bool hidden = !vertex.empty() && builder.random().chance(0.5);
    const std::string read = hidden ? output_text(outputs, *owned[i], "min(gl_InvocationID, 2)") : own;
    const std::string part = read + (builder.random().chance(0.5) ? ".x" : "[gl_InvocationID & 1]");
    const Symbol early = builder.add_local(block, leaf(simple_type(Base::float32, 1), part, owned[i]->bound));
    block.push_back(statement(own + " = $0;", {builder.expressions.make_uniform(type, 1)}));
    block.push_back(statement(next + " = " + next + " * 0.5 + clamp(" + early.text + ", -1.0, 1.0) * 0.25;"));
  }
}

// Reads back what the invocation has stored to its own vertex, and stores some of it again.
void read_own_outputs(StageBuilder& builder, const Interface& outputs, Block& block) {
  std::vector<const Varying*> owned;
  for (const Varying& varying : outputs.varyings) {
    if (!is_whole_vertex_output(varying) || !builder.random().chance(0.5)) continue;
    const std::string own = output_text(outputs, varying, "gl_InvocationID");
    const bool halves = varying.type.base == Base::float32 && builder.random().chance(0.4);
    if (halves) block.push_back(statement(own + " = " + own + " * 0.5;"));
    builder.add_local(block, leaf(varying.type, own, varying.bound));
    owned.push_back(&varying);
  }
  replace_read_output(builder, outputs, owned, "gl_InvocationID", block);
}

// The same for patch outputs, by the invocation that stores them.
void read_own_patch_outputs(StageBuilder& builder, const Interface& outputs, const std::set<const Varying*>& of_others,
                            Block& block) {
  std::vector<const Varying*> owned;
  for (const Varying& varying : outputs.varyings) {
    const bool is_whole = varying.patch && of_others.count(&varying) == 0 && varying.type.is_simple() &&
                          varying.written_rows >= varying.type.rows;
    if (!is_whole || varying.type.base != Base::float32 || !builder.random().chance(0.5)) continue;
    const std::string own = output_text(outputs, varying, "");
    block.push_back(statement(own + " = " + own + " * 0.5;"));
    owned.push_back(&varying);
  }
  replace_read_output(builder, outputs, owned, "", block);
}

// Patch outputs that others than the first invocation store, all of one or each its component. Returns these.
std::set<const Varying*> write_by_others(StageBuilder& builder, const Interface& outputs, Block& block) {
  std::set<const Varying*> written;
  const std::string invocation = "gl_InvocationID";
  for (const Varying& varying : outputs.varyings) {
    if (!varying.patch || varying.witness || !builder.roll("other-invocations")) continue;
    written.insert(&varying);
    const std::size_t visible = builder.expressions.scope.size();
    if (may_be_stored_by_all(varying) && builder.random().chance(0.5)) {
      const std::string target = output_text(outputs, varying, "");
      const Block stores = store_component_of_invocation(builder, varying.type, target, invocation, 3);
      block.insert(block.end(), stores.begin(), stores.end());
    } else {
      Block stores;
      VaryingWriter(builder, outputs, invocation).write(stores, varying);
      const std::string which = std::to_string(builder.random().range(1, 2));
      block.push_back(pinned(statement("if (" + invocation + " == " + which + ") @0", {}, {std::move(stores)})));
    }
    builder.expressions.scope.resize(visible);
  }
  return written;
}

// Sums over vertices $0 to $3 in which the weights sum to one. A patch has three vertices, so that one of them is at
// two corners of a quad.
constexpr const char* kOverTriangle = "(gl_TessCoord.x * $0 + gl_TessCoord.y * $1 + gl_TessCoord.z * $2)";
constexpr const char* kBetweenCorners = "mix(mix($0, $1, gl_TessCoord.x), mix($3, $2, gl_TessCoord.x), gl_TessCoord.y)";

// Vertices at the corners: in their order mostly.
std::vector<std::string> corners(StageBuilder& builder) {
  std::vector<std::string> vertices = {"0", "1", "2", "2"};
  if (builder.random().chance(0.3)) std::swap(vertices[0], vertices[builder.random().below(4)]);
  return vertices;
}

// A floating-point input as the evaluation stage interpolates it over the patch.
bool read_barycentric(StageBuilder& builder, const Interface& inputs, const Varying& varying, bool quads,
                      Block& block) {
  const Type& type = varying.type;
  if (varying.patch || !varying.read || !type.is_simple() || type.base != Base::float32) return false;
  if (varying.written_rows < type.rows) return false;
  std::vector<Expr> args;
  for (const std::string& vertex : quads ? corners(builder) : std::vector<std::string>{"0", "1", "2"})
    args.push_back(leaf(type, input_text(inputs, varying, vertex), varying.bound));
  builder.add_local(block, node(type, quads ? kBetweenCorners : kOverTriangle, std::move(args), varying.bound));
  return true;
}

// Parts of the position of a vertex as values.
void read_built_ins(StageBuilder& builder, Block& block, const std::string& vertex) {
  if (!builder.roll("built-in-read")) return;
  const std::string position = "gl_in[" + vertex + "].gl_Position";
  const Type scalar = simple_type(Base::float32, 1);
  for (const char* part : {".x", ".y", ".z", ".w"})
    if (builder.random().chance(0.4)) builder.add_local(block, leaf(scalar, position + part, 4.0));
  if (builder.random().chance(0.3)) builder.add_local(block, leaf(simple_type(Base::float32, 4), position, 4.0));
}

}  // namespace

StageModel build_tess_control(Build& build, const Interface& inputs, const Interface& outputs) {
  StageBuilder builder(build, Stage::tess_control);
  builder.add_declaration("layout(vertices = 3) out;");
  builder.add_resources(0.4);
  builder.add_declarations(declare_inputs(inputs));
  builder.add_declarations(declare_outputs(outputs, false));
  auto& scope = builder.expressions.scope;
  scope.push_back({"gl_InvocationID", simple_type(Base::sint32, 1), 1.0});

  Block& block = builder.model.main;
  block.push_back(pinned(statement("gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;")));
  read_inputs(builder, inputs, block, "gl_InvocationID");
  read_built_ins(builder, block, "gl_InvocationID");
  VaryingWriter writer(builder, outputs, "gl_InvocationID");
  writer.witness = VaryingReader(builder, inputs).witness("gl_InvocationID");
  writer.write_all(block, false);

  const std::set<const Varying*> of_others = write_by_others(builder, outputs, block);
  Block first;
  const std::size_t visible = scope.size();
  if (builder.roll("output-read-own")) read_own_outputs(builder, outputs, block);
  if (builder.roll("output-read-across")) {
    block.push_back(pinned(statement("barrier();")));
    VaryingReader reader(builder, inputs);
    for (const Varying& varying : outputs.varyings) {
      if (!is_whole_vertex_output(varying) || !builder.random().chance(0.4)) continue;
      builder.add_local(first, leaf(varying.type, output_text(outputs, varying, "2"), varying.bound));
    }
  }
  VaryingWriter patch_writer(builder, outputs, "gl_InvocationID");
  patch_writer.left_out = of_others;
  patch_writer.write_all(first, true);
  if (builder.roll("output-read-own")) read_own_patch_outputs(builder, outputs, of_others, first);
  scope.resize(visible);
  for (int side = 0; side < (build.has_quads ? 4 : 3); ++side) {
    first.push_back(pinned(statement("gl_TessLevelOuter[" + std::to_string(side) +
                                     "] = " + std::to_string(builder.random().range(1, 4)) + ".0;")));
  }
  for (int inner = 0; inner < (build.has_quads ? 2 : 1); ++inner) {
    first.push_back(pinned(statement("gl_TessLevelInner[" + std::to_string(inner) +
                                     "] = " + std::to_string(builder.random().range(1, 4)) + ".0;")));
  }
  block.push_back(pinned(statement("if (gl_InvocationID == 0) @0", {}, {std::move(first)})));
  return std::move(builder.model);
}

StageModel build_tess_eval(Build& build, const Interface& inputs, const Interface& outputs) {
  StageBuilder builder(build, Stage::tess_eval);
  static const std::vector<std::string> spacings = {"equal_spacing", "fractional_even_spacing",
                                                    "fractional_odd_spacing"};
  const std::string domain = build.has_quads ? "quads" : "triangles";
  builder.add_declaration("layout(" + domain + ", " + builder.random().pick(spacings) + ", ccw) in;");
  builder.add_resources(0.4);
  builder.add_declarations(declare_inputs(inputs));
  builder.add_declarations(declare_outputs(outputs, builder.roll("output-interpolation")));
  auto& scope = builder.expressions.scope;

  Block& block = builder.model.main;
  // Of a quad the far corners are one vertex: it covers the triangle, as the others do.
  const std::string sum = build.has_quads ? "mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x), "
                                            "gl_in[2].gl_Position, gl_TessCoord.y)"
                                          : "gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * "
                                            "gl_in[1].gl_Position + gl_TessCoord.z * gl_in[2].gl_Position";
  block.push_back(pinned(statement("vec4 vp = " + sum + ";")));
  block.push_back(pinned(statement(build.exact ? "gl_Position = vec4(vp.xy, 0.5, 1.0);" : "gl_Position = vp;")));
  VaryingReader reader(builder, inputs);
  std::vector<Symbol> convergent;
  for (const Varying& varying : inputs.varyings) {
    if (builder.random().chance(0.6) && read_barycentric(builder, inputs, varying, build.has_quads, block)) continue;
    const std::string vertex = std::to_string(builder.random().below(3));
    for (const Expr& value : reader.read(block, varying, vertex)) {
      convergent.push_back(builder.add_local(block, builder.expressions.tame(value)));
    }
  }
  builder.add_unusual(block);
  scope.push_back({"gl_TessCoord", simple_type(Base::float32, 3), 1.0});
  VaryingWriter writer(builder, outputs, "");
  writer.convergent = convergent;
  writer.witness = "(gl_TessCoord.x * " + reader.witness("0") + " + gl_TessCoord.y * " + reader.witness("1") +
                   " + gl_TessCoord.z * " + reader.witness("2") + ")";
  writer.write_all(block, false);
  return std::move(builder.model);
}

StageModel build_geometry(Build& build, const Interface& inputs, const Interface& outputs) {
  StageBuilder builder(build, Stage::geometry);
  builder.add_declaration("layout(triangles) in;");
  builder.add_declaration("layout(triangle_strip, max_vertices = 6) out;");
  builder.add_resources(0.4);
  builder.add_declarations(declare_inputs(inputs));
  builder.add_declarations(declare_outputs(outputs, builder.roll("output-interpolation")));
  auto& scope = builder.expressions.scope;
  scope.push_back({"gl_PrimitiveIDIn", simple_type(Base::sint32, 1), 1.0});

  Block& block = builder.model.main;
  if (builder.random().chance(0.5)) read_inputs(builder, inputs, block, "0");
  const std::vector<Symbol> convergent = scope;
  const bool loop = builder.roll("emit-loop");
  const int copies = loop ? 1 : 3;
  for (int copy = 0; copy < copies; ++copy) {
    const std::string vertex = loop ? builder.fresh("k") : std::to_string(copy);
    Block emit;
    const std::size_t visible = scope.size();
    if (loop) scope.push_back({vertex, simple_type(Base::sint32, 1), 1.0});
    read_inputs(builder, inputs, emit, vertex);
    read_built_ins(builder, emit, vertex);
    VaryingWriter writer(builder, outputs, "");
    writer.convergent = convergent;
    writer.witness = VaryingReader(builder, inputs).witness(vertex);
    writer.write_all(emit, false);
    emit.push_back(pinned(statement("gl_Position = gl_in[" + vertex + "].gl_Position;")));
    emit.push_back(pinned(statement("EmitVertex();")));
    scope.resize(visible);
    if (loop) {
      block.push_back(
          pinned(statement("for (int " + vertex + " = 0; " + vertex + " < 3; ++" + vertex + ") @0", {}, {emit})));
    } else {
      block.push_back(pinned(statement("@0", {}, {emit})));
    }
  }
  block.push_back(pinned(statement("EndPrimitive();")));
  return std::move(builder.model);
}

}  // namespace varylink::fuzz
