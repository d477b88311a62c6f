#include "fuzz/stage_builder.h"

#include <algorithm>
#include <utility>

namespace varylink::fuzz {
namespace {

const Type kFloat = simple_type(Base::float32, 1);
const Type kInt = simple_type(Base::sint32, 1);

Type matrix_type(int columns, int rows) {
  Type type = simple_type(Base::float32, rows);
  type.columns = columns;
  return type;
}

}  // namespace

Symbol uniform_symbol(const std::string& text, const Type& type) {
  Symbol symbol;
  symbol.text = text;
  symbol.type = type;
  symbol.bound = 2.0;
  symbol.uniform = true;
  return symbol;
}

Statement statement(std::string pattern, std::vector<Expr> args, std::vector<Block> bodies) {
  Statement result;
  result.pattern = std::move(pattern);
  result.args = std::move(args);
  result.bodies = std::move(bodies);
  return result;
}

StageBuilder::StageBuilder(Build& build, Stage stage)
    : expressions(build.random, build.features, build.exact), build_(build) {
  model.stage = stage;
}

void StageBuilder::add_declaration(const std::string& text, const std::string& name) {
  Declaration declaration;
  declaration.name = name;
  declaration.text = text;
  model.declarations.push_back(std::move(declaration));
}

bool StageBuilder::declares(const std::string& name) const {
  return std::any_of(model.declarations.begin(), model.declarations.end(),
                     [&](const Declaration& declaration) { return declaration.name == name; });
}

void StageBuilder::add_declarations(const std::vector<Declaration>& declarations) {
  model.declarations.insert(model.declarations.end(), declarations.begin(), declarations.end());
}

// Stages may declare as many of the members as they like.
void StageBuilder::add_uniform_buffer() {
  const std::vector<std::pair<std::string, Type>> members = {{"ua", simple_type(Base::float32, 4)},
                                                             {"ub", simple_type(Base::float32, 4)},
                                                             {"uc", simple_type(Base::float32, 3)},
                                                             {"uf", kFloat},
                                                             {"um", matrix_type(3, 3)},
                                                             {"un", simple_type(Base::sint32, 4)},
                                                             {"uu", simple_type(Base::uint32, 1)}};
  const bool is_short = roll("short-buffer");
  const auto count = is_short ? 1 + random().below(static_cast<std::uint32_t>(members.size())) : members.size();
  std::string text = "layout(set = 0, binding = 0, std140) uniform Ubo {";
  for (std::size_t i = 0; i < count; ++i) {
    text += " " + declare(members[i].second, members[i].first) + ";";
    expressions.scope.push_back(uniform_symbol("ubo." + members[i].first, members[i].second));
  }
  if (!is_short) {
    text += " vec4 uarr[4];";
    expressions.scope.push_back(uniform_symbol("ubo.uarr[2]", simple_type(Base::float32, 4)));
    has_uniform_array_ = true;
  }
  add_declaration(text + " } ubo;", "ubo");
}

void StageBuilder::add_resources(double probability) {
  if (random().chance(probability)) add_uniform_buffer();
  if (roll("push-constant")) {
    add_declaration("layout(push_constant) uniform Push { vec4 pa; float pf; int pn; uint pu; vec4 parr[3]; } push;",
                    "push");
    auto& scope = expressions.scope;
    scope.push_back(uniform_symbol("push.pa", simple_type(Base::float32, 4)));
    scope.push_back(uniform_symbol("push.pf", kFloat));
    scope.push_back(uniform_symbol("push.pn", kInt));
    scope.push_back(uniform_symbol("push.pu", simple_type(Base::uint32, 1)));
  }
  if (build_.has_resource_arrays && random().below(4) != 0) add_resource_array();
  if (roll("several-layouts")) add_layout_of_its_own();
  if (build_.has_tables) add_table();
  if (build_.is_old) return;
  if (roll("buffer-reference")) {  // beside numbers; nobody follows it
    add_declaration(
        "layout(buffer_reference) readonly buffer Node;\n"
        "layout(buffer_reference) readonly buffer Node { vec4 rv; Node rn; };\n"
        "layout(set = 0, binding = 4, std140) uniform Refs { Node ra; float rf; vec4 rb; } refs;",
        "refs");
    expressions.scope.push_back(uniform_symbol("refs.rf", kFloat));
    expressions.scope.push_back(uniform_symbol("refs.rb", simple_type(Base::float32, 4)));
  }
  if (roll("spec-constant") || (build_.shared_spec_constants && random().below(4) != 0)) {
    add_declaration("layout(constant_id = 3) const int kSpecInt = 5;", "kSpecInt");
    add_declaration("layout(constant_id = 4) const float kSpecFloat = 0.75;", "kSpecFloat");
    expressions.scope.push_back(uniform_symbol("kSpecInt", kInt));
    expressions.scope.push_back(uniform_symbol("kSpecFloat", kFloat));
  }
}

Symbol StageBuilder::add_local(Block& block, const Expr& value, const std::string& prefix) {
  Symbol symbol;
  symbol.text = fresh(prefix);
  symbol.type = value.type;
  symbol.bound = value.bound;
  const bool precise = value.type.base == Base::float32 && !value.type.structure && roll("precise");
  block.push_back(statement((precise ? "precise " : "") + declare(value.type, symbol.text) + " = $0;", {value}));
  expressions.scope.push_back(symbol);
  return symbol;
}

void StageBuilder::add_function_call(Block& block) {
  static const std::vector<Type> parameter_types = {kFloat, simple_type(Base::float32, 2),
                                                    simple_type(Base::float32, 3), kInt, simple_type(Base::uint32, 2)};
  const std::string name = fresh("fn");
  const Type in_type = random().pick(parameter_types), out_type = random().pick(parameter_types);
  const Type inout_type = random().pick(parameter_types), result_type = random().pick(parameter_types);
  const std::string in_name = fresh("p"), out_name = fresh("p"), inout_name = fresh("p");

  FunctionDefinition function;
  function.name = name;
  function.header = glsl_name(result_type) + " " + name + "(in " + declare(in_type, in_name) + ", out " +
                    declare(out_type, out_name) + ", inout " + declare(inout_type, inout_name) + ")";
  std::vector<Symbol> outer = std::exchange(expressions.scope, {});
  for (const Symbol& symbol : outer) {
    if (symbol.uniform) expressions.scope.push_back(symbol);
  }
  expressions.scope.push_back({in_name, in_type, kMaxBound});
  expressions.scope.push_back({inout_name, inout_type, kMaxBound});
  function.body.push_back(statement(out_name + " = $0;", {expressions.make(out_type, 2)}));
  while (roll("function-return")) {
    Block back = {
        statement("if ($0) @0", {condition()}, {{statement("return $0;", {expressions.make(result_type, 1)})}})};
    for (int depth = random().range(0, 2); depth > 0; --depth) back = {wrap(std::move(back))};
    function.body.insert(function.body.end(), back.begin(), back.end());
    if (random().chance(0.3)) function.body.push_back(statement(out_name + " = $0;", {expressions.make(out_type, 1)}));
  }
  function.body.push_back(statement(inout_name + " = $0;", {expressions.make(inout_type, 2)}));
  function.body.push_back(statement("return $0;", {expressions.make(result_type, 2)}));
  expressions.scope = std::move(outer);
  model.functions.push_back(std::move(function));

  const Symbol changed = add_local(block, expressions.make(inout_type, 1));
  const Symbol written = add_local(block, leaf(out_type, literal(out_type)));
  Expr call = node(result_type, name + "($0, " + written.text + ", " + changed.text + ")",
                   {expressions.make(in_type, 1)}, kMaxBound);
  const Symbol result = add_local(block, call);
  for (Symbol& symbol : expressions.scope) {
    if (symbol.text == changed.text || symbol.text == written.text || symbol.text == result.text)
      symbol.bound = kMaxBound;
  }
}

void StageBuilder::add_storage_access(Block& block) {
  add_declaration(
      "layout(set = 0, binding = 1, std430) buffer Store { uint s_count; uint s_max; uint s_bits; int s_min; } store;",
      "store");
  block.push_back(statement("atomicAdd(store.s_count, 1u);"));
  block.push_back(statement("atomicMax(store.s_max, $0);", {expressions.make(simple_type(Base::uint32, 1), 2)}));
  block.push_back(statement("atomicOr(store.s_bits, $0);", {expressions.make(simple_type(Base::uint32, 1), 1)}));
}

Statement StageBuilder::switch_of(int cases, const std::function<Block(int)>& body) {
  Statement result = statement("switch ($0) {", {expressions.index_below(16)});
  for (int label = 0; label < cases; ++label) {
    const std::string place = std::to_string(label);
    result.pattern += " case " + place + ": @" + place + " break;";
    result.bodies.push_back(body(label));
  }
  result.pattern += " }";
  return result;
}

Statement StageBuilder::wrap(Block block) {
  const std::string counter = fresh("k");
  if (roll("loop")) {
    return statement("for (int " + counter + " = 0; " + counter + " < " + std::to_string(random().range(1, 3)) +
                         "; ++" + counter + ") @0",
                     {}, {std::move(block)});
  }
  if (roll("dynamic-loop")) {
    return statement("for (int " + counter + " = 0; " + counter + " < $0; ++" + counter + ") @0",
                     {expressions.index_below(3)}, {std::move(block)});
  }
  if (roll("switch")) {
    Block other = block;
    block.push_back(statement("break;"));
    return statement("switch ($0) { case 0: @0 break; case 2: default: @1 }", {expressions.index_below(4)},
                     {std::move(block), std::move(other)});
  }
  if (random().chance(0.4)) return statement("if ($0) @0 else @1", {condition()}, {block, block});
  return statement("if ($0) @0", {condition()}, {std::move(block)});
}

}  // namespace varylink::fuzz
