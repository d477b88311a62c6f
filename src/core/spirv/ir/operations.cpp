#include "spirv/ir/operations.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>

#include "spirv/ir/op_info.h"

namespace varylink::spirv {
namespace {

// Short names for the rows, which nothing else sees.
namespace rows {

// A row while it is written: operands and result first, and the dots of operations.def.
struct RowText {
  OperationRow row;

  constexpr RowText pointer(PointerUse first, PointerUse others) const {
    RowText text = *this;
    text.row.first_pointer = first;
    text.row.other_pointers = others;
    return text;
  }
  constexpr RowText pointer(PointerUse all) const { return pointer(all, all); }
  constexpr RowText declares(TypeKind type) const {
    RowText text = *this;
    text.row.type = type;
    return text;
  }
  constexpr RowText in(ModulePart part) const {
    RowText text = *this;
    text.row.part = part;
    return text;
  }
  constexpr RowText costs(Cost cost) const {
    RowText text = *this;
    text.row.stated_cost = cost;
    return text;
  }
  constexpr RowText words(OperandWords words) const {
    RowText text = *this;
    text.row.words = words;
    return text;
  }
  constexpr RowText defined_for(Domain domain) const {
    RowText text = *this;
    text.row.domain = domain;
    return text;
  }
};

constexpr Reading F = Reading::floating, S = Reading::sint, U = Reading::uint, I = Reading::integer,
                  B = Reading::boolean, X = Reading::bits;

struct Signature {
  Reading result = Reading::none;
  std::uint8_t count = 0;
  std::array<Reading, 4> operands = {};
  Widths widths = Widths::uniform;
};

constexpr Signature kNoSignature;

constexpr Signature same(Reading reading, std::uint8_t count) {
  const Reading result = reading == S || reading == U ? I : reading;
  return {result, count, {reading, reading, reading, reading}, Widths::uniform};
}

constexpr Signature compares(Reading reading, std::uint8_t count) {
  return {B, count, {reading, reading, reading, reading}, Widths::comparison};
}

constexpr Signature converts(Reading from, Reading to) { return {to, 1, {from}, Widths::conversion}; }

constexpr Signature shifts(Reading base) { return {I, 2, {base, U}, Widths::first}; }

constexpr Signature inserts() { return {I, 4, {I, I, U, U}, Widths::insertion}; }

constexpr Signature extracts(Reading base) { return {I, 3, {base, U, U}, Widths::first}; }

constexpr Signature scales() { return {F, 2, {F, S}, Widths::first}; }

constexpr Signature chooses() { return {X, 3, {B, X, X}, Widths::choice}; }

constexpr Facts kValue = kRemovable | kOperandsOnly;
constexpr Facts kScalar = kValue | kComponentWise;
constexpr Facts kDerivatives = kRemovable | kComponentWise | kSmooth | kDerivative | kActs;
constexpr Facts kInterpolation = kRemovable | kSmooth | kInterpolates;
constexpr Facts kSamples = kRemovable | kImageAccess;

constexpr RowText written(std::string_view name, spv::Op op, std::uint32_t glsl, Signature signature, Formula formula,
                          Facts facts) {
  RowText text;
  text.row.name = name;
  text.row.op = op;
  text.row.glsl = glsl;
  text.row.result = signature.result;
  text.row.operands = signature.operands;
  text.row.operand_count = signature.count;
  text.row.widths = signature.widths;
  text.row.formula = formula;
  text.row.facts = facts;
  return text;
}

// What most rows have.
constexpr OperandWords words_of(Facts facts) {
  return (facts & kImageAccess) != 0 ? OperandWords::image : OperandWords::ids;
}

constexpr Signature none = kNoSignature;
using enum Cost;

constexpr RowText kRows[] = {
#define OP(name, signature, formula, facts) \
  , written(#name, spv::Op::Op##name, 0, signature, Formula::formula, facts).words(words_of(facts))
#define GLSL(name, signature, formula, facts) \
  , written(#name, spv::Op::OpExtInst, GLSLstd450##name, signature, Formula::formula, facts)
#define GROUP(name) OP(name, none, none, kActs | kGroup).words(OperandWords::unknown)
#define TYPE(name, kind, facts) OP(Type##name, none, none, facts).declares(TypeKind::kind)
#define PART(name, place) OP(name, none, none, kNothing).in(ModulePart::place)
    written("", spv::Op::OpNop, 0, none, Formula::none, kNothing)  // opaque
#include "spirv/ir/operations.def"
#undef PART
#undef TYPE
#undef GROUP
#undef GLSL
#undef OP
};
}  // namespace rows

constexpr std::size_t kOpaque = 0;

constexpr std::size_t kOpcodes = 6144, kGlslNumbers = 128;

// By opcode and number: the position of the row.
struct Index {
  std::array<std::uint16_t, kOpcodes> core = {};
  std::array<std::uint16_t, kGlslNumbers> glsl = {};

  constexpr Index() {
    for (std::uint16_t i = 1; i < std::size(rows::kRows); ++i) {
      const OperationRow& row = rows::kRows[i].row;
      if (row.op == spv::Op::OpExtInst)
        glsl[row.glsl] = i;
      else
        core[static_cast<std::size_t>(row.op)] = i;
    }
  }
};
constexpr Index kIndex;

}  // namespace

Cost OperationRow::cost() const {
  if (stated_cost != Cost::by_kind) return stated_cost;
  const bool is_declaration = type != TypeKind::none || part != ModulePart::types;
  if (is_declaration || is(kArranges | kInert | kDeclaredOnce)) return Cost::free;
  if (is(kProduct)) return Cost::products;
  if (is(kImageAccess)) return Cost::texture;
  if (is(kAtomic)) return Cost::atomic;
  if (is(kActs) && !is(kGroup)) return Cost::other_once;
  if (op == spv::Op::OpExtInst || result == Reading::floating || reads(Reading::floating)) return Cost::simple;
  return is_scalar_operation() ? Cost::words : Cost::other;
}

const OperationRow& row_of(spv::Op op) {
  const auto number = static_cast<std::size_t>(op);
  return rows::kRows[number < kOpcodes ? kIndex.core[number] : kOpaque].row;
}

const OperationRow& glsl_row(std::uint32_t number) {
  return rows::kRows[number < kGlslNumbers ? kIndex.glsl[number] : kOpaque].row;
}

const OperationRow& row_of(const Module& module, InstRef inst) {
  const spv::Op op = module[inst].op;
  if (op != spv::Op::OpExtInst) return row_of(op);
  return is_glsl_inst(module, inst) ? glsl_row(module.operand(inst, 1).word) : rows::kRows[kOpaque].row;
}

}  // namespace varylink::spirv
