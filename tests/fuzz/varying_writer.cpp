// Stores of varyings in the producer, in all the ways that compilers and people write them.
#include <algorithm>
#include <utility>

#include "fuzz/stage_builder.h"

namespace varylink::fuzz {
namespace {

// Type of the first `rows` components.
Type narrowed(const Type& type, int rows) { return simple_type(type.base, rows); }

std::string component(const std::string& target, const Type& type, int row) {
  return type.rows == 1 ? target : target + "." + "xyzw"[row];
}

Statement pinned(Statement value) {
  value.pinned = true;
  return value;
}

}  // namespace

void VaryingWriter::write_all(Block& block, bool patch) {
  unknowns_.clear();
  for (const Varying& varying : interface_.varyings) {
    if (varying.patch != patch || left_out.count(&varying) != 0) continue;
    if (varying.witness) {
      const std::string target = output_text(interface_, varying, index_);
      block.push_back(pinned(statement(target + " = $0;", {leaf(varying.type, witness, varying.bound)})));
    } else {
      write(block, varying);
    }
  }
}

void VaryingWriter::write(Block& block, const Varying& varying) {
  const bool into_function = index_.empty() && builder_.roll("function-global");
  if (!into_function) {
    store(block, varying, value_for(block, varying));
    return;
  }
  // A function sees globals only: uniforms, and what the value is computed from is handed over in a parameter.
  FunctionDefinition function;
  function.name = builder_.fresh("fn");
  const std::string parameter = builder_.fresh("p");
  function.header = "void " + function.name + "(in " + declare(varying.type, parameter) + ")";
  const Expr value = value_for(block, varying);
  std::vector<Symbol> outer = std::exchange(builder_.expressions.scope, {});
  for (const Symbol& symbol : outer) {
    if (symbol.uniform) builder_.expressions.scope.push_back(symbol);
  }
  std::vector<Symbol> earlier = std::exchange(earlier_, {});
  store(function.body, varying, leaf(varying.type, parameter, value.bound));
  earlier_ = std::move(earlier);
  builder_.expressions.scope = std::move(outer);
  const std::string name = function.name;
  builder_.model.functions.push_back(std::move(function));
  block.push_back(pinned(statement(name + "($0);", {value})));
}

bool VaryingWriter::duplicate_of_earlier(const Type& type, Expr& value) {
  std::vector<const Symbol*> same;
  for (const Symbol& symbol : earlier_) {
    if (symbol.type == type) same.push_back(&symbol);
  }
  if (same.empty()) return false;
  const Symbol& symbol = *builder_.random().pick(same);
  value = leaf(type, symbol.text, symbol.bound);
  return true;
}

Expr VaryingWriter::convergent_value(const Type& type) {
  std::vector<Symbol> scope;
  for (const Symbol& symbol : builder_.expressions.scope) {
    if (symbol.uniform) scope.push_back(symbol);
  }
  scope.insert(scope.end(), convergent.begin(), convergent.end());
  std::swap(scope, builder_.expressions.scope);
  Expr value = builder_.expressions.make(type, 3);
  std::swap(scope, builder_.expressions.scope);
  return value;
}

// A sum of multiples of three values that all sums of a stage share, and that nothing else sends.
Expr VaryingWriter::affine_value(Block& block, const Type& type) {
  Expressions& expressions = builder_.expressions;
  const bool is_float = type.base == Base::float32;
  std::vector<Symbol>& unknowns = unknowns_[type.base];
  while (unknowns.size() < 3) {
    Expr value = expressions.make(simple_type(type.base, 4), 2);
    if (is_float) value = node(value.type, "clamp($0, -1.0, 1.0)", {std::move(value)}, 1.0);
    unknowns.push_back(builder_.add_local(block, value, "x"));
  }
  static const std::vector<std::string> factors = {"-", "", "", "2 * ", "-2 * "};
  Expr sum = expressions.make_constant(type);
  for (const Symbol& unknown : unknowns) {
    if (builder_.random().chance(0.3)) continue;
    std::string factor = builder_.random().pick(factors);
    if (is_float && factor.size() > 1) factor.insert(factor.find('2') + 1, ".0");
    if (type.base == Base::uint32 && factor.size() > 1) factor.insert(factor.find('2') + 1, "u");
    if (type.base == Base::float16 && factor.size() > 1) factor.insert(factor.find('2') + 1, ".0hf");
    const std::string term =
        factor + unknown.text + "." + std::string("xyzw").substr(0, static_cast<std::size_t>(type.rows));
    const double bound = sum.bound + 2.0 * unknown.bound;
    sum = node(type, "($0 + (" + term + "))", {std::move(sum)}, bound);
  }
  return expressions.tame(sum);
}

// A number of few bits, or a truth value as a number.
Expr VaryingWriter::small_value(const Type& type) {
  Expressions& expressions = builder_.expressions;
  const std::string type_name = glsl_name(type);
  if (type.base == Base::float32 || builder_.random().chance(0.4)) {
    Expr result = node(type, type_name + "(", {}, 1.0);
    for (int row = 0; row < type.rows; ++row) {
      result.pattern += (row == 0 ? "" : ", ") + ("$" + std::to_string(row)) + " ? 1 : 0";
      result.args.push_back(builder_.condition());
    }
    result.pattern += ")";
    return result;
  }
  // The remainder of a negative number, as abs() of the least one is, Vulkan leaves undefined.
  static const std::vector<std::string> patterns = {"($0 & T(7))", "(($0 >> 3) & T(1))", "(abs($0 >> 1) % T(10))",
                                                    "clamp($0, T(0), T(5))", "bitfieldExtract($0, 4, 3)"};
  std::string pattern = builder_.random().pick(patterns);
  if (type.base == Base::uint32 && pattern.find("abs") != std::string::npos) pattern = "($0 % T(10))";
  for (std::size_t at = 0; (at = pattern.find('T', at)) != std::string::npos; at += type_name.size())
    pattern.replace(at, 1, type_name);
  return node(type, pattern, {expressions.make(type, 2)}, 16.0);
}

// Nothing or what is uniform, all components alike.
Expr VaryingWriter::chosen_value(const Type& type) {
  Random& random = builder_.random();
  Expressions& expressions = builder_.expressions;
  const Expr some = random.chance(0.7) ? expressions.make_uniform(type, 1) : expressions.make_constant(type);
  const std::string nothing = glsl_name(type) + "(0.0)";
  // lavapipe of Mesa 22.3 folds a vector that is selected by one specialization constant wrongly behind its first
  // component, so that vectors are selected by vectors.
  const std::string conditions = type.rows == 1 ? "bool($0)" : "bvec" + std::to_string(type.rows) + "($0)";
  const std::string pattern = random.chance(0.5) ? "mix(" + nothing + ", $1, " + conditions + ")"
                                                 : "mix($1, " + nothing + ", " + conditions + ")";
  return node(type, pattern, {builder_.condition(), some}, some.bound);
}

// The same, chosen by one switch after the other.
Expr VaryingWriter::value_of_switches(Block& block, const Type& type) {
  Random& random = builder_.random();
  Expressions& expressions = builder_.expressions;
  const Expr some = expressions.make_uniform(type, 1), nothing = leaf(type, glsl_name(type) + "(0.0)");
  const bool is_long = builder_.roll("long-switch-chain");
  const int length = is_long ? random.range(7, 8) : random.range(1, 3), cases = is_long ? 10 : random.range(2, 5);
  const Symbol value = builder_.add_local(block, some, "x");
  for (int i = 0; i < length; ++i)
    block.push_back(builder_.switch_of(cases, [&](int) -> Block {
      if (random.chance(is_long ? 0.7 : 0.4)) return {statement(";")};
      return {statement(value.text + " = $0;", {random.chance(0.5) ? some : nothing})};
    }));
  return leaf(type, value.text, some.bound);
}

// Both arms of a branch compute it.
Expr VaryingWriter::value_of_both_arms(Block& block, const Type& type) {
  const Expr value = builder_.expressions.make(type, 2);
  const std::string name = builder_.fresh("r");
  block.push_back(pinned(statement(declare(type, name) + ";")));
  const Block arm = {pinned(statement(name + " = $0;", {value}))};
  block.push_back(pinned(statement("if ($0) @0 else @1", {builder_.condition()}, {arm, arm})));
  return leaf(type, name, value.bound);
}

Expr VaryingWriter::value_for(Block& block, const Varying& varying) {
  Expressions& expressions = builder_.expressions;
  Expr value;
  if (builder_.roll("duplicate") && duplicate_of_earlier(varying.type, value)) return value;
  if (interface_.producer == Stage::geometry && builder_.roll("emit-constant")) {
    return expressions.make_constant(varying.type);
  }
  if (builder_.roll("constant")) return expressions.make_constant(varying.type);
  const Type& type = varying.type;
  const bool is_word = type.is_simple() && (type.base == Base::float32 || type.is_integer());
  if (is_word && (varying.flat || type.is_integer()) && builder_.roll("small-value")) return small_value(type);
  if (is_word && type.base == Base::float32 && builder_.roll("uniform-choice"))
    return builder_.roll("switch-choice") ? value_of_switches(block, type) : chosen_value(type);
  if (is_word && builder_.roll("affine-combination")) return affine_value(block, type);
  if (is_word && builder_.roll("alike-branches")) return value_of_both_arms(block, type);
  if (builder_.roll("uniform-expression")) return expressions.make_uniform(varying.type, 2);
  if (!convergent.empty() && builder_.roll("convergent")) return convergent_value(varying.type);
  return expressions.make(varying.type, 3);
}

void VaryingWriter::store(Block& block, const Varying& varying, const Expr& value) {
  const bool mesh = interface_.producer == Stage::mesh;
  const std::string target = output_text(interface_, varying, varying.patch && !mesh ? "" : index_);
  const Type& type = varying.type;
  if (type.is_simple() && varying.written_rows < type.rows) {
    store_components(block, type, target, value, varying.written_rows);
    return;
  }
  Expr stored = value;
  if (builder_.random().chance(0.6) && !value.args.empty()) {
    const Symbol local = builder_.add_local(block, value, "w");
    earlier_.push_back(local);
    stored = leaf(type, local.text, local.bound);
  }
  if (builder_.roll(type.is_array() ? "initial-array" : "initial-value") &&
      store_over_initial_value(block, type, target, stored))
    return;
  if (!type.is_simple()) {
    store_aggregate(block, type, target, stored);
  } else if (builder_.roll("component-store")) {
    store_components(block, type, target, stored, type.rows);
  } else if (type.base == Base::float32 && type.rows > 1 && builder_.roll("complement")) {
    store_complement(block, type, target);
  } else if (builder_.roll("branch-store")) {
    store_through_branch(block, type, target, stored);
  } else if (builder_.roll("switch")) {
    store_through_switch(block, type, target, stored);
  } else if (builder_.roll("function")) {
    store_through_function(block, type, target, stored);
  } else {
    block.push_back(pinned(statement(target + " = $0;", {stored})));
  }
  if (type.is_simple()) store_again(block, type, target);
}

// Of some wide vectors each half under a condition of its own.
void VaryingWriter::store_complement(Block& block, const Type& type, const std::string& target) {
  if (type.rows < 4 || !builder_.roll("two-complements")) return store_complement_under_condition(block, type, target);
  const Type half = narrowed(type, 2);
  std::vector<std::string> halves;
  for (int i = 0; i < 2; ++i) {
    halves.push_back(builder_.fresh("r"));
    block.push_back(pinned(statement(declare(half, halves.back()) + ";")));
    store_complement_under_condition(block, half, halves.back());
  }
  block.push_back(
      pinned(statement(target + " = " + glsl_name(type) + "(" + halves.front() + ", " + halves.back() + ");")));
}

// Zeros and ones, each the other one under a condition.
void VaryingWriter::store_complement_under_condition(Block& block, const Type& type, const std::string& target) {
  std::string some, others;
  for (int row = 0; row < type.rows; ++row) {
    const bool is_one = builder_.random().chance(0.5);
    (is_one ? some : others) += row > 0 ? ", 1.0" : "1.0";
    (is_one ? others : some) += row > 0 ? ", 0.0" : "0.0";
  }
  const auto stored = [&](const std::string& values) {
    return pinned(statement(target + " = $0;", {leaf(type, glsl_name(type) + "(" + values + ")")}));
  };
  if (builder_.random().chance(0.5)) {
    block.push_back(
        pinned(statement("if ($0) @0 else @1", {builder_.condition()}, {{stored(some)}, {stored(others)}})));
  } else {
    block.push_back(stored(some));
    block.push_back(statement("if ($0) @0", {builder_.condition()}, {{stored(others)}}));
  }
}

// Each element has a constant, some by an index that is not one; then perhaps one that uniforms choose gets another.
void VaryingWriter::store_constants(Block& block, const Type& type, const std::string& target) {
  Expressions& expressions = builder_.expressions;
  for (int i = 0; i < type.dims[0]; ++i) {
    const Expr part = expressions.make_constant(element_type(type));
    block.push_back(pinned(statement(target + "[" + std::to_string(i) + "] = $0;", {part})));
    if (i == 0 && type.dims[0] > 1 && builder_.random().chance(0.2))
      block.push_back(statement(target + "[$0] = $1;", {expressions.index_below(type.dims[0]), part}));
  }
  if (!builder_.random().chance(0.4)) return;
  const Type number = simple_type(Base::sint32, 1), element = element_type(type);
  const Expr index =
      node(number, "(($0 & 255) % " + std::to_string(type.dims[0]) + ")", {expressions.make_uniform(number, 1)}, 1);
  const bool is_constant = !element.is_simple() || builder_.random().chance(0.5);
  const Expr part = is_constant ? expressions.make_constant(element) : expressions.make_uniform(element, 1);
  block.push_back(statement(target + "[$0] = $1;", {index, part}));
}

void VaryingWriter::store_aggregate(Block& block, const Type& type, const std::string& target, const Expr& value) {
  if (type.is_array() && builder_.roll("constant-array")) {
    store_constants(block, type, target);
    return;
  }
  if (type.is_array() && builder_.roll("loop")) {
    store_array_in_loop(block, type, target);
    return;
  }
  if (builder_.roll("struct-copy")) {
    block.push_back(pinned(statement(target + " = $0;", {value})));
  } else if (type.is_array()) {
    const bool some_are_equal = element_type(type).is_simple() && builder_.roll("equal-elements");
    Expr part;
    for (int i = 0; i < type.dims[0]; ++i) {
      const bool is_equal = some_are_equal && i > 0 && builder_.random().chance(0.6);
      if (!is_equal) part = builder_.expressions.make(element_type(type), 2);
      block.push_back(pinned(statement(target + "[" + std::to_string(i) + "] = $0;", {part})));
    }
  } else if (type.is_struct()) {
    for (const Member& member : type.structure->members) {
      const Expr part = builder_.expressions.make(member.type, 2);
      block.push_back(pinned(statement(target + "." + member.name + " = $0;", {part})));
    }
  } else {
    for (int column = 0; column < type.columns; ++column) {
      const Expr part = builder_.expressions.make(simple_type(type.base, type.rows), 2);
      block.push_back(pinned(statement(target + "[" + std::to_string(column) + "] = $0;", {part})));
    }
  }
  if (type.is_array() && builder_.roll("dynamic-index")) {
    const Expr part = builder_.expressions.make(element_type(type), 1);
    block.push_back(statement(target + "[$0] = $1;", {builder_.expressions.index_below(type.dims[0]), part}));
  }
}

// The output starts with a constant, of which the stores behind it leave something. Where a stage emits vertices, or
// shares its outputs, that would be a constant in one place only.
bool VaryingWriter::store_over_initial_value(Block& block, const Type& type, const std::string& target,
                                             const Expr& value) {
  const bool own_outputs = interface_.producer == Stage::vertex || interface_.producer == Stage::tess_eval;
  const bool is_array = type.is_array() && type.dims.size() == 1 && !type.structure && type.columns == 1;
  if (!own_outputs || (!type.is_simple() && !is_array)) return false;
  const Expr start = is_array ? leaf(type, literal(type)) : builder_.expressions.make_constant(type);
  Block& main = builder_.model.main;
  main.insert(main.begin(), pinned(statement(target + " = $0;", {start})));
  if (is_array) {
    const Expr part = builder_.expressions.make(element_type(type), 1);
    block.push_back(statement(target + "[$0] = $1;", {builder_.expressions.index_below(type.dims[0]), part}));
  } else if (type.base == Base::float32 && builder_.random().chance(0.5)) {
    block.push_back(statement(target + " *= $0;", {value}));
  } else if (builder_.random().chance(0.5)) {
    block.push_back(statement("if ($0) @0", {builder_.condition()}, {{statement(target + " = $0;", {value})}}));
  } else {
    const Expr part = node(narrowed(type, 1), component("$0", type, 0), {value}, value.bound);
    block.push_back(statement(component(target, type, 0) + " = $0;", {part}));
  }
  return true;
}

void VaryingWriter::store_array_in_loop(Block& block, const Type& type, const std::string& target) {
  const std::string counter = builder_.fresh("k");
  const std::size_t before = builder_.expressions.scope.size();
  builder_.expressions.scope.push_back({counter, simple_type(Base::sint32, 1), 1.0});
  const Expr part = builder_.expressions.make(element_type(type), 2);
  builder_.expressions.scope.resize(before);
  const std::string count = std::to_string(type.dims[0]);
  block.push_back(
      pinned(statement("for (int " + counter + " = 0; " + counter + " < " + count + "; ++" + counter + ") @0", {},
                       {{pinned(statement(target + "[" + counter + "] = $0;", {part}))}})));
}

void VaryingWriter::store_components(Block& block, const Type& type, const std::string& target, const Expr& value,
                                     int rows) {
  std::vector<int> order(static_cast<std::size_t>(rows));
  for (int row = 0; row < rows; ++row) order[static_cast<std::size_t>(row)] = row;
  if (builder_.random().chance(0.4)) std::reverse(order.begin(), order.end());
  for (const int row : order) {
    Expr part = node(narrowed(type, 1), component("$0", type, row), {value}, value.bound);
    const Expr shared = builder_.expressions.tame(part);
    if (builder_.roll("component-constant"))
      part = builder_.expressions.make_constant(narrowed(type, 1));
    else
      part = shared;
    block.push_back(pinned(statement(component(target, type, row) + " = $0;", {part})));
  }
}

void VaryingWriter::store_through_branch(Block& block, const Type& type, const std::string& target, const Expr& value) {
  const Expr other = builder_.expressions.make(type, 2);
  block.push_back(pinned(
      statement("if ($0) @0 else @1", {builder_.condition()},
                {{pinned(statement(target + " = $0;", {value}))}, {pinned(statement(target + " = $0;", {other}))}})));
}

void VaryingWriter::store_through_switch(Block& block, const Type& type, const std::string& target, const Expr& value) {
  const Expr second = builder_.expressions.make(type, 1);
  const Expr third = builder_.random().chance(0.5) ? value : builder_.expressions.make(type, 1);
  // The first case falls through into the second one, which overwrites it.
  block.push_back(pinned(statement("switch ($0) { case 0: @0 case 1: @1 break; default: @2 }",
                                   {builder_.expressions.index_below(4)},
                                   {{pinned(statement(target + " = $0;", {value}))},
                                    {pinned(statement(target + " = $0;", {second}))},
                                    {pinned(statement(target + " = $0;", {third}))}})));
}

void VaryingWriter::store_through_function(Block& block, const Type& type, const std::string& target,
                                           const Expr& value) {
  FunctionDefinition function;
  function.name = builder_.fresh("fn");
  const std::string in_name = builder_.fresh("p"), out_name = builder_.fresh("p");
  function.header =
      "void " + function.name + "(in " + declare(type, in_name) + ", out " + declare(type, out_name) + ")";
  function.body.push_back(pinned(statement(out_name + " = " + in_name + ";")));
  const std::string name = function.name;
  builder_.model.functions.push_back(std::move(function));
  block.push_back(pinned(statement(name + "($0, " + target + ");", {value})));
}

void VaryingWriter::store_again(Block& block, const Type& type, const std::string& target) {
  Expressions& expressions = builder_.expressions;
  if (builder_.roll("conditional-store")) {
    const int row = static_cast<int>(builder_.random().below(static_cast<std::uint32_t>(type.rows)));
    const bool whole = builder_.random().chance(0.5);
    const Type part = whole ? type : narrowed(type, 1);
    const std::string place = whole ? target : component(target, type, row);
    block.push_back(
        statement("if ($0) @0", {builder_.condition()}, {{statement(place + " = $0;", {expressions.make(part, 2)})}}));
  }
  if (type.rows > 1 && builder_.roll("dynamic-index")) {
    block.push_back(
        statement(target + "[$0] = $1;", {expressions.index_below(type.rows), expressions.make(narrowed(type, 1), 1)}));
  }
  // Mesh outputs are not read.
  if (interface_.producer != Stage::mesh && type.base == Base::float32 && builder_.roll("read-back")) {
    block.push_back(statement(target + " = " + target + " * 0.5 + $0;", {expressions.make(type, 1)}));
  }
}

bool may_be_stored_by_all(const Varying& varying) {
  return varying.type.is_simple() && varying.type.rows > 1 && varying.type.columns == 1 && is_32_bit(varying.type) &&
         varying.written_rows >= varying.type.rows && !varying.witness;
}

Block store_component_of_invocation(StageBuilder& builder, const Type& type, const std::string& target,
                                    const std::string& invocation, int invocations) {
  const auto part = [&] { return builder.expressions.make(narrowed(type, 1), 2); };
  const bool are_enough = type.rows <= invocations;
  Block block = {
      pinned(statement("if (" + invocation + " < " + std::to_string(std::min(type.rows, invocations)) + ") @0", {},
                       {{pinned(statement(target + "[" + invocation + "] = $0;", {part()}))}}))};
  for (int row = invocations; !are_enough && row < type.rows; ++row)
    block.push_back(pinned(statement("if (" + invocation + " == 0) @0", {},
                                     {{pinned(statement(component(target, type, row) + " = $0;", {part()}))}})));
  return block;
}

}  // namespace varylink::fuzz
