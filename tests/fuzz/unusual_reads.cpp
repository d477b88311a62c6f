// Reads of resources that must stay where they are, or belong to one stage alone, and values that take many turns.
#include <utility>

#include "fuzz/stage_builder.h"

namespace varylink::fuzz {
namespace {

const Type kFloat = simple_type(Base::float32, 1);
const Type kInt = simple_type(Base::sint32, 1);
const Type kUint = simple_type(Base::uint32, 1);
const Type kVec4 = simple_type(Base::float32, 4);

}  // namespace

// Stages may declare the array with different lengths: an element that one has is no element of the other.
void StageBuilder::add_resource_array() {
  const int length = random().range(2, 4);
  add_declaration(
      "layout(set = 0, binding = 5, std140) uniform Each { vec4 ea; ivec2 en; } each[" + std::to_string(length) + "];",
      "each");
  for (int i = 0; i < 2; ++i) {
    const std::string element = "each[" + std::to_string(random().range(0, length - 1)) + "].";
    expressions.scope.push_back(uniform_symbol(element + "ea", kVec4));
    expressions.scope.push_back(uniform_symbol(element + "en", simple_type(Base::sint32, 2)));
  }
}

// The same bytes through other types: what one stage reads is not what another reads at the same member and index.
void StageBuilder::add_layout_of_its_own() {
  static const std::vector<std::string> layouts = {
      "vec4 la; vec4 lb; layout(row_major) mat3x4 lm;", "vec4 la; vec4 lb; layout(column_major) mat3x4 lm;",
      "vec4 lb; vec4 la; layout(column_major) mat3x4 lm;", "vec4 lb; layout(offset = 48) vec4 la; mat3x4 lm;"};
  const std::string layout = random().pick(layouts);
  add_declaration("layout(set = 0, binding = 6, std140) uniform Laid { " + layout + " } laid;", "laid");
  for (const char* member : {"laid.la", "laid.lb", "laid.lm[1]", "laid.lm[2]"})
    expressions.scope.push_back(uniform_symbol(member, kVec4));
}

// What a uniform index selects: of an array in a buffer or of push constants, of constants, or of a local array that is
// filled with uniforms.
void StageBuilder::add_table() {
  const int length = random().range(2, 4);
  const auto index_below = [&](int count) {
    return "((" + print(expressions.make_uniform(kInt, 1)) + " & 255) % " + std::to_string(count) + ")";
  };
  const Type type = simple_type(Base::float32, random().range(1, 4));
  const auto list = [&](bool constant) {
    std::string text = glsl_name(type) + "[](";
    for (int i = 0; i < length; ++i)
      text += (i ? ", " : "") + print(constant ? expressions.make_constant(type) : expressions.make_uniform(type, 1));
    return text + ")";
  };
  const std::string name = fresh("table"), sized = name + "[" + std::to_string(length) + "]";
  switch (random().below(4)) {
    case 3:
      if (declares("push")) expressions.scope.push_back(uniform_symbol("push.parr[" + index_below(3) + "]", kVec4));
      break;
    case 0:
      if (has_uniform_array_) expressions.scope.push_back(uniform_symbol("ubo.uarr[" + index_below(4) + "]", kVec4));
      break;
    case 1:
      add_declaration("const " + glsl_name(type) + " " + sized + " = " + list(true) + ";", name);
      expressions.scope.push_back(uniform_symbol(name + "[" + index_below(length) + "]", type));
      break;
    default: {
      const std::string look_up = fresh("fn");
      add_declaration(glsl_name(type) + " " + look_up + "() { " + glsl_name(type) + " " + sized + " = " + list(false) +
                          "; return " + name + "[" + index_below(length) + "]; }",
                      look_up);
      Symbol symbol = uniform_symbol(look_up + "()", type);
      symbol.bound = kMaxBound;
      expressions.scope.push_back(std::move(symbol));
    }
  }
}

// An element that is read only where the index is known to be good.
void StageBuilder::add_guarded_read(Block& block) {
  const std::string number = fresh("r"), value = fresh("r");
  const bool is_buffer = random().chance(0.7);
  if (is_buffer && !declares("data")) {
    const std::string access = random().chance(0.5) ? "readonly " : "";
    add_declaration("layout(set = 0, binding = 3, std430) " + access +
                        "buffer Data { uint d_first; uint d_count; vec4 d_v[]; } data;",
                    "data");
  }
  if (!is_buffer && !declares("few"))
    add_declaration("layout(set = 0, binding = 7, std140) uniform Few { vec4 few_v[4]; } few;", "few");
  block.push_back(statement("uint " + number + " = $0;", {expressions.make(kUint, 2)}));
  block.push_back(statement("vec4 " + value + " = $0;", {expressions.make_constant(kVec4)}));
  const std::string array = is_buffer ? "data.d_v" : "few.few_v", limit = is_buffer ? "64u" : "4u";
  std::string guard = number + " < " + limit, element = number;
  switch (is_buffer ? random().below(4) : 0) {
    case 1:  // never true for what the buffer holds
      guard = "data.d_count > 1000000u";
      element = "1000000";
      break;
    case 2:
      guard = number + " > data.d_count + 7u";
      element = "(" + number + " & 63u)";
      break;
    default: break;
  }
  if (!is_buffer && random().chance(0.5)) element = std::to_string(random().range(1, 3));
  block.push_back(statement("if (" + guard + ") @0", {}, {{statement(value + " = " + array + "[" + element + "];")}}));
  expressions.scope.push_back({value, kVec4, 4.0});
}

// What a vertex stores to its own element of a buffer and reads back, and the same once more: two reads of one place
// that differ.
void StageBuilder::add_buffer_turn(Block& block) {
  add_declaration("layout(set = 0, binding = 11, std430) buffer Turn { vec4 t_v[]; } turn;", "turn");
  const std::string element = "turn.t_v[gl_VertexIndex]";
  Statement own = statement("if (gl_VertexIndex < 64 && gl_InstanceIndex == 0) @0");
  Block body;
  for (int i = 0; i < 2; ++i) {
    const std::string value = fresh("r");
    block.push_back(statement("vec4 " + value + " = $0;", {expressions.make_constant(kVec4)}));
    body.push_back(statement(element + " = $0;", {expressions.make(kVec4, 1)}));
    body.push_back(statement(value + " = " + element + ";"));
    expressions.scope.push_back({value, kVec4, kMaxBound});
  }
  own.bodies.push_back(std::move(body));
  block.push_back(std::move(own));
}

// One switch after the other changes the value. `long_chain`: so many that combinations cannot be enumerated.
void StageBuilder::add_switch_chain(Block& block) {
  const bool long_chain = roll("long-switch-chain");
  const bool is_index = random().chance(0.5);
  const Type type = is_index ? kInt : simple_type(Base::float32, random().range(1, 4));
  const std::string value = fresh("r");
  block.push_back(
      statement(declare(type, value) + " = $0;", {is_index ? leaf(kInt, "0") : expressions.make_constant(type)}));
  const int length = long_chain ? random().range(8, 14) : random().range(2, 4);
  const double kept = long_chain && random().chance(0.5) ? 0.9 : 0.1;  // share of the cases that change nothing
  const int cases = long_chain ? 10 : random().range(2, 5);
  for (int i = 0; i < length; ++i) {
    block.push_back(switch_of(cases, [&](int label) -> Block {
      if (random().chance(kept)) return {statement(";")};
      if (is_index && long_chain && random().chance(0.8))  // each case leads to other numbers
        return {statement(value + " = " + value + " + " + std::to_string(label) + ";")};
      if (is_index)
        return {statement(value + " = " + std::to_string(random().below(8)) +
                          (random().chance(0.3) ? " - " + value : "") + ";")};
      return {statement(value + " = $0;",
                        {random().chance(0.6) ? expressions.make_constant(type) : expressions.make_uniform(type, 1)})};
    }));
  }
  expressions.scope.push_back({value, type, 4.0});
  if (is_index) expressions.turned = value;
}

std::string StageBuilder::texture_of_invocation(const std::string& index) {
  if (!declares("many")) add_declaration("layout(set = 0, binding = 8) uniform sampler2D many[4];", "many");
  return "many[nonuniformEXT(" + index + ")]";
}

// Textures of an array by an index that differs within what the hardware runs together. If the sampler is apart,
// lavapipe 22.3 may read the wrong texture by an index that is not constant (docs/verification.md): the index is one
// then that linking does not make constant, and in the fragment stage.
void StageBuilder::add_bindless_read(Block& block) {
  // The decoration is then on a copy of what combines the two.
  const bool is_apart = random().chance(0.5) && model.stage == Stage::fragment;
  if (is_apart && !declares("images"))
    add_declaration(
        "layout(set = 0, binding = 9) uniform texture2D images[4]; "
        "layout(set = 0, binding = 10) uniform sampler images_sampler;",
        "images");
  const std::string value = fresh("r");
  const std::string texture =
      is_apart ? "nonuniformEXT(sampler2D(images[$0], images_sampler))" : texture_of_invocation("$0");
  Expr index = is_apart ? node(kInt, "($0 & 3)", {expressions.make_uniform(kInt, 1)}, 3.0) : expressions.index_below(4);
  block.push_back(statement("vec4 " + value + " = textureLod(" + texture + ", $1, 0.0);",
                            {std::move(index), expressions.make(simple_type(Base::float32, 2), 1)}));
  expressions.scope.push_back({value, kVec4, 2.0});
}

// A local array of what is in scope, inputs mostly, that a loop reads in part.
void StageBuilder::add_loop_over_copies(Block& block) {
  const Type type = simple_type(Base::float32, random().range(2, 4));
  const int length = random().range(2, 4);
  const std::string array = fresh("r"), sum = fresh("r"), counter = fresh("k");
  std::vector<Expr> elements;
  std::string list;
  for (int i = 0; i < length; ++i) {
    list += (i ? ", $" : "$") + std::to_string(i);
    elements.push_back(expressions.make(type, 0));
  }
  const std::string declared = glsl_name(type) + " " + array + "[" + std::to_string(length) + "]";
  block.push_back(statement(declared + " = " + glsl_name(type) + "[](" + list + ");", std::move(elements)));
  block.push_back(statement("float " + sum + " = 0.0;"));
  const std::string part = std::string(1, "xyzw"[random().below(static_cast<std::uint32_t>(type.rows))]);
  const std::string body = sum + " += " + array + "[" + counter + "]." + part + " * 0.25;";
  block.push_back(
      statement("for (int " + counter + " = 0; " + counter + " < " + std::to_string(length) + "; ++" + counter + ") @0",
                {}, {{statement(body)}}));
  expressions.scope.push_back({sum, kFloat, kMaxBound});
}

void StageBuilder::add_unusual(Block& block) {
  if (roll("guarded-read")) add_guarded_read(block);
  if (roll("switch-chain")) add_switch_chain(block);
  if (roll("bindless")) add_bindless_read(block);
  if (roll("loop-over-copies")) add_loop_over_copies(block);
  if (model.stage == Stage::vertex && roll("buffer-turn")) add_buffer_turn(block);
}

}  // namespace varylink::fuzz
