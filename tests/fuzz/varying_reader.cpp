// Loads of varyings in the consumer, in all the ways that compilers and people write them.
#include "fuzz/stage_builder.h"

namespace varylink::fuzz {
namespace {

constexpr std::size_t kMaxReads = 6;  // of one varying: keeps large arrays of structs from filling the shader

}  // namespace

std::vector<Expr> VaryingReader::read(Block& block, const Varying& varying, const std::string& index) {
  std::vector<Expr> reads;
  if (!varying.read) return reads;
  const std::string text = input_text(interface_, varying, index);
  const bool fragment = interface_.consumer == Stage::fragment && varying.interpolated() && !varying.witness;
  if (varying.type.is_simple() && varying.written_rows < varying.type.rows) {
    const Type part = simple_type(varying.type.base, varying.written_rows);
    reads.push_back(
        leaf(part, text + "." + std::string("xyzw").substr(0, static_cast<std::size_t>(part.rows)), varying.bound));
    return reads;
  }
  read_value(block, varying.type, text, varying.bound, fragment, reads);
  return reads;
}

std::string VaryingReader::witness(const std::string& index) const {
  for (const Varying& varying : interface_.varyings) {
    if (varying.witness) return input_text(interface_, varying, index);
  }
  return "vec2(0.5)";
}

void VaryingReader::read_value(Block& block, const Type& type, const std::string& text, double bound,
                               bool may_interpolate, std::vector<Expr>& reads) {
  if (reads.size() >= kMaxReads) return;
  if (type.is_array()) {
    read_array(block, type, text, bound, may_interpolate, reads);
    return;
  }
  if (type.is_struct()) {
    std::string source = text;
    if (builder_.roll("struct-copy")) {
      source = builder_.fresh("r");
      block.push_back(statement(declare(type, source) + " = $0;", {leaf(type, text)}));
      may_interpolate = false;
    }
    for (const Member& member : type.structure->members) {
      if (builder_.roll("unused-component")) continue;
      read_value(block, member.type, source + "." + member.name, bound, may_interpolate, reads);
    }
    return;
  }
  if (type.is_matrix()) {
    if (builder_.random().chance(0.4)) {
      reads.push_back(leaf(type, text, bound));
      return;
    }
    const int column = static_cast<int>(builder_.random().below(static_cast<std::uint32_t>(type.columns)));
    read_simple(block, simple_type(type.base, type.rows), text + "[" + std::to_string(column) + "]", bound, false,
                reads);
    return;
  }
  read_simple(block, type, text, bound, may_interpolate, reads);
}

void VaryingReader::read_array(Block& block, const Type& type, const std::string& text, double bound,
                               bool may_interpolate, std::vector<Expr>& reads) {
  const Type element = element_type(type);
  std::string source = text;
  if (builder_.random().chance(0.2) && builder_.roll("struct-copy")) {
    source = builder_.fresh("r");
    block.push_back(statement(declare(type, source) + " = $0;", {leaf(type, text)}));
    may_interpolate = false;
  }
  if (builder_.roll("dynamic-index")) {
    const std::string index = builder_.fresh("r");
    block.push_back(statement("int " + index + " = $0;", {builder_.expressions.index_below(type.dims[0])}));
    read_value(block, element, source + "[" + index + "]", bound, false, reads);
    if (builder_.random().chance(0.7)) return;
    may_interpolate = false;  // the same element may be read both ways, see read_simple()
  }
  if (element.is_simple() && element.base == Base::float32 && builder_.roll("loop")) {
    const std::string sum = builder_.fresh("r"), counter = builder_.fresh("k");
    block.push_back(statement(declare(element, sum) + " = " + literal(element) + ";"));
    std::string body = sum + " += " + source + "[" + counter + "] * 0.25;";
    std::vector<Expr> index;
    if (builder_.roll("bindless-in-loop")) {
      const std::string texture = builder_.texture_of_invocation("(" + counter + " + $0) & 3");
      body = sum + " += " + source + "[" + counter + "] * textureLod(" + texture + ", vec2(0.5), 0.0).x * 0.25;";
      index.push_back(builder_.expressions.make_uniform(simple_type(Base::sint32, 1), 1));
    }
    block.push_back(statement(
        "for (int " + counter + " = 0; " + counter + " < " + std::to_string(type.dims[0]) + "; ++" + counter + ") @0",
        {}, {{statement(body, std::move(index))}}));
    reads.push_back(leaf(element, sum, bound * type.dims[0] * 2));
    return;
  }
  for (int i = 0; i < type.dims[0]; ++i) {
    if (builder_.roll("unused-component")) continue;
    read_value(block, element, source + "[" + std::to_string(i) + "]", bound, may_interpolate, reads);
  }
}

void VaryingReader::read_simple(Block& block, const Type& type, const std::string& text, double bound,
                                bool may_interpolate, std::vector<Expr>& reads) {
  if (may_interpolate && type.base == Base::float32 && builder_.roll("interpolate-at")) {
    static const std::vector<std::string> calls = {"interpolateAtCentroid(#)", "interpolateAtSample(#, 0)",
                                                   "interpolateAtOffset(#, vec2(0.25, -0.125))"};
    std::string call = builder_.random().pick(calls);
    // Nothing else reads the input then: Mesa 22.3's lavapipe gives the value at the sample or offset to plain reads of
    // the same input, too.
    call.replace(call.find('#'), 1, text);
    reads.push_back(leaf(type, call, bound * 2));
    return;
  }
  if (type.rows > 1 && builder_.roll("dynamic-index")) {
    const std::string index = builder_.fresh("r");
    block.push_back(statement("int " + index + " = $0;", {builder_.expressions.index_below(type.rows)}));
    reads.push_back(leaf(simple_type(type.base, 1), text + "[" + index + "]", bound));
    return;
  }
  if (type.rows > 1 && builder_.roll("unused-component")) {
    const int rows = builder_.random().range(1, type.rows - 1);
    const int first = builder_.random().range(0, type.rows - rows);
    const std::string part =
        std::string("xyzw").substr(static_cast<std::size_t>(first), static_cast<std::size_t>(rows));
    reads.push_back(leaf(simple_type(type.base, rows), text + "." + part, bound));
    return;
  }
  reads.push_back(leaf(type, text, bound));
}

}  // namespace varylink::fuzz
