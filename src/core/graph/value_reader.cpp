#include "graph/value_reader.h"

#include <algorithm>

#include "base/seeded_fault.h"
#include "graph/undivided_functions.h"
#include "graph/vector_functions.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/operations.h"
#include "spirv/ir/phi_choice.h"
#include "spirv/ir/product_shape.h"
#include "spirv/ir/scalar_view.h"
#include "spirv/ir/uses.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::graph {
namespace {

using spirv::Id;
using spirv::InstRef;
using spv::Op;

// The operand of which every component of the result takes the same scalar.
bool takes_scalar(Op op, std::size_t operand) {
  if (op == Op::OpSelect) return operand == 0;
  return (op == Op::OpVectorTimesScalar || op == Op::OpMatrixTimesScalar) && operand == 1;
}

}  // namespace

ValueReader::ValueReader(const spirv::Module& module, const spirv::Function& function,
                         spirv::DereferenceableRanges::Until certain)
    : module_(module),
      function_(function),
      certain_until_(certain),
      resources_(module),
      spec_constants_(module),
      refs_(module.bound),
      manners_(module) {}

Ref ValueReader::ref(Id id, std::uint32_t component) const {
  return component < refs_[id].size() ? refs_[id][component] : kNoRef;
}

const std::vector<Ref>& ValueReader::refs(Id id) const { return refs_[id]; }

void ValueReader::run() {
  read_constants();
  for (std::uint32_t block = 0; block < function_.blocks.size(); ++block)
    for (const InstRef inst : function_.blocks[block].body) {
      const Id result = module_[inst].result;
      if (result == 0 || spirv::scalars_of_number(module_, module_[inst].type) == 0) continue;
      refs_[result] = module_[inst].op == Op::OpPhi ? read_phi(inst, block) : read(inst);
      finish(inst, refs_[result]);
    }
}

// In the order in which code comes to them, for values are numbered as they are read, and what cannot be told otherwise
// is told by these numbers. Where a constant is declared depends on the compiler and on debug information.
void ValueReader::read_constants() {
  enum class State : std::uint8_t { elsewhere, declared, open, done };
  std::vector<State> states(module_.bound, State::elsewhere);
  for (const InstRef inst : module_.types)
    if (!module_.is_dead(inst)) states[module_[inst].result] = State::declared;
  const auto come_to = [&](Id root) {
    std::vector<Id> waiting = {root};
    while (!waiting.empty()) {
      const Id id = waiting.back();
      if (states[id] == State::declared) {  // its parts first, from the first on
        states[id] = State::open;
        const auto parts = module_.operands(module_.def(id));
        for (auto part = parts.rbegin(); part != parts.rend(); ++part)
          if (part->is_id && states[part->word] == State::declared) waiting.push_back(part->word);
        continue;
      }
      if (states[id] == State::open) read_global(module_.def(id));
      states[id] = State::done;
      waiting.pop_back();
    }
  };
  const auto come_from = [&](InstRef inst) {
    if (spirv::is_debug_inst(module_, inst)) return;
    for (const spirv::Operand& operand : module_.operands(inst))
      if (operand.is_id && states[operand.word] == State::declared) come_to(operand.word);
  };
  for (const spirv::Block& block : function_.blocks)
    for (const InstRef inst : block.body) come_from(inst);
  for (const InstRef inst : module_.types) {
    const Op op = module_[inst].op;
    const bool is_spec = spirv::is_spec_constant(op);
    if (is_spec || op == Op::OpVariable) come_to(module_[inst].result);
  }
}

void ValueReader::read_global(InstRef inst) {
  const spirv::Inst& def = module_[inst];
  const auto scalar = varyings::scalar_type_of(module_, def.type);
  const std::uint32_t count = def.type == 0 ? 0 : spirv::scalars_of_number(module_, def.type);
  if (!scalar || count == 0) return;
  std::optional<Refs> refs = read_constant(inst, count, *scalar);
  if (!refs || refs->size() != count) refs = leaves(def.result, count, *scalar);
  refs_[def.result] = std::move(*refs);
}

ValueReader::Refs ValueReader::leaves(Id id, std::uint32_t count, varyings::ScalarType scalar) {
  Refs refs;
  for (std::uint32_t i = 0; i < count; ++i) refs.push_back(leaf(id, i, scalar));
  return refs;
}

std::optional<ValueReader::Refs> ValueReader::read_constant(InstRef inst, std::uint32_t count,
                                                            varyings::ScalarType scalar) {
  const auto operands = module_.operands(inst);
  switch (module_[inst].op) {
    case Op::OpConstant: {
      std::vector<std::uint32_t> bits;
      for (const spirv::Operand& operand : operands) bits.push_back(operand.word);
      return Refs{constant(scalar, std::move(bits))};
    }
    case Op::OpConstantTrue: return Refs{constant(scalar, {1})};
    case Op::OpConstantFalse: return Refs{constant(scalar, {0})};
    case Op::OpUndef:  // any value will do
    case Op::OpConstantNull:
      return Refs(count, constant(scalar, std::vector<std::uint32_t>(scalar.width == 64 ? 2 : 1, 0)));
    case Op::OpConstantComposite:
    case Op::OpSpecConstantComposite: {
      Refs refs;
      for (const spirv::Operand& part : operands)
        refs.insert(refs.end(), refs_[part.word].begin(), refs_[part.word].end());
      return refs;
    }
    default: return read_spec_constant(inst);
  }
}

std::optional<ValueReader::Refs> ValueReader::read_spec_constant(InstRef inst) {
  const spirv::Inst& def = module_[inst];
  if (def.op != Op::OpSpecConstantOp) {
    const auto key = spec_constants_.key_of(def.result);
    return key ? std::optional(Refs{specialization(def.result, *key)}) : std::nullopt;
  }
  const auto operands = module_.operands(inst);
  const Code code{inst, static_cast<Op>(operands.front().word), operands.subspan(1)};
  std::optional<Refs> refs = rearrange(code);
  return refs ? refs : component_wise(code);
}

ValueReader::Refs ValueReader::read(InstRef inst) {
  const spirv::Inst& def = module_[inst];
  const Code code{inst, def.op, module_.operands(inst)};
  std::optional<Refs> refs;
  if (def.op == Op::OpLoad) refs = load(inst);
  if (!refs && def.op == Op::OpLoad) refs = look_up(inst);
  if (!refs) refs = rearrange(code);
  const bool is_written_anew = !manners_.of(def.result).is_own;
  if (!refs && is_written_anew) refs = component_wise(code);
  if (!refs && is_written_anew) refs = product(inst);
  if (!refs && is_written_anew) refs = function_of_vectors(inst);
  if (!refs && is_written_anew) refs = undivided_function(inst);
  if (!refs && def.op == Op::OpVectorExtractDynamic) refs = extract_at(inst);
  const std::uint32_t count = spirv::scalars_of_number(module_, def.type);
  if (!refs || refs->size() != count)
    refs = leaves(def.result, count, varyings::scalar_type_of(module_, def.type).value_or(varyings::ScalarType{}));
  return std::move(*refs);
}

ValueReader::Refs ValueReader::read_phi(InstRef phi, std::uint32_t block) {
  const spirv::Inst& def = module_[phi];
  const varyings::ScalarType type = varyings::scalar_type_of(module_, def.type).value_or(varyings::ScalarType{});
  if (!cfg_) cfg_.emplace(module_, function_);
  const auto decided = spirv::choice_of(module_, function_, *cfg_, block, phi);
  const auto part = [&](Id id, std::uint32_t i) { return module_.def_op(id) == Op::OpUndef ? kNoRef : ref(id, i); };
  // The code of a side may come later; its values are not known yet then.
  const auto is_read = [&](Id id) { return !refs_[id].empty(); };
  const bool is_known =
      decided && is_read(decided->condition) && is_read(decided->if_true) && is_read(decided->if_false);
  Refs refs;
  for (std::uint32_t i = 0; i < spirv::scalars_of_number(module_, def.type); ++i) {
    const Ref chosen =
        is_known ? choice(ref(decided->condition, 0), part(decided->if_true, i), part(decided->if_false, i), type)
                 : kNoRef;
    refs.push_back(chosen == kNoRef ? leaf(def.result, i, type) : chosen);
  }
  return refs;
}

std::optional<ValueReader::Refs> ValueReader::rearrange(const Code& code) const {
  std::vector<spirv::Scalar> scalars;
  if (!spirv::arranges_scalars(module_, code.op, module_[code.inst].type, code.operands, scalars)) return std::nullopt;
  Refs result;
  for (const spirv::Scalar& scalar : scalars) {
    // An undefined component may be any value, such as the first one.
    const Refs& refs = refs_[scalar.value == 0 ? code.operands[0].word : scalar.value];
    if (scalar.value != 0 && scalar.index >= refs.size()) return std::nullopt;
    result.push_back(refs.empty() ? kNoRef : refs[scalar.index]);
  }
  return result;
}

// A division that cannot trap or be undefined wherever it is computed: by a constant that is neither 0 nor -1.
bool ValueReader::divides_safely(const Code& code) const {
  const Id divisor = code.operands[1].word;
  const InstRef def = module_.def(divisor);
  const auto is_safe = [&](Id id) {
    const auto value = spirv::constant_int(module_, id);
    return value && *value != 0 && *value != -1 && static_cast<std::uint32_t>(*value) != 0xffffffffu;
  };
  if (module_.def_op(divisor) != Op::OpConstantComposite) return is_safe(divisor);
  const auto parts = module_.operands(def);
  return std::all_of(parts.begin(), parts.end(), [&](const spirv::Operand& part) { return is_safe(part.word); });
}

std::optional<ValueReader::Refs> ValueReader::component_wise(const Code& code) {
  ScalarOperation scalar;
  scalar.op = code.op;
  std::size_t first = 0;
  if (scalar.op == Op::OpExtInst) {
    if (!spirv::is_glsl_inst(module_, code.inst)) return std::nullopt;
    scalar.glsl = code.operands[1].word;
    if (!is_pure_scalar(scalar.op, scalar.glsl)) return std::nullopt;
    first = spirv::first_value_operand(module_, code.inst);
  } else if (spirv::row_of(scalar.op).is(spirv::kPartial)) {
    if (!divides_safely(code)) return std::nullopt;
  } else if (!is_pure_scalar(scalar.op, 0) && scalar.op != Op::OpVectorTimesScalar &&
             scalar.op != Op::OpMatrixTimesScalar) {
    return std::nullopt;
  }
  if (scalar.op == Op::OpVectorTimesScalar || scalar.op == Op::OpMatrixTimesScalar) scalar.op = Op::OpFMul;
  const Id result_type = module_[code.inst].type;
  const auto type = varyings::scalar_type_of(module_, result_type);
  if (!type) return std::nullopt;
  scalar.type = *type;
  scalar.result = module_[code.inst].result;
  const spirv::Manner manner = manners_.of(scalar.result);
  scalar.no_contraction = manner.no_contraction;
  if (!seeded_fault("graph-forgets-permissions")) scalar.permissions = manner.permissions;
  const std::uint32_t count = spirv::scalars_of_number(module_, result_type);
  // An OpBitcast may turn a vector into one of another length, whose components are no casts of components.
  for (std::size_t k = first; k < code.operands.size(); ++k) {
    const std::size_t given = refs_[code.operands[k].word].size();
    const bool is_enough = given == 1 || given > count;
    if (seeded_fault("casts-are-component-wise") && code.op == Op::OpBitcast && is_enough) continue;
    if (given != count && !(given == 1 && takes_scalar(code.op, k))) return std::nullopt;
  }
  Refs result;
  for (std::uint32_t i = 0; i < count; ++i) {
    scalar.operands.clear();
    for (std::size_t k = first; k < code.operands.size(); ++k) {
      const Refs& operand = refs_[code.operands[k].word];
      scalar.operands.push_back(operand.size() == 1 ? operand.front() : operand[i]);
    }
    result.push_back(operation(scalar));
  }
  return result;
}

Ref ValueReader::multiply_add(const std::vector<std::pair<Ref, Ref>>& factors, varyings::ScalarType type, Id result) {
  const spirv::Permissions permissions = permissions_of(result);
  Ref sum = kNoRef;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const Ref term =
        operation({Op::OpFMul, 0, false, type, {factors[i].first, factors[i].second}, permissions, result});
    sum = i == 0 ? term : operation({Op::OpFAdd, 0, false, type, {sum, term}, permissions, result});
  }
  return sum;
}

// Products of vectors and matrices that may be computed in any order: NoContraction ones stay what they are.
std::optional<ValueReader::Refs> ValueReader::product(InstRef inst) {
  const auto shape = spirv::product_shape(module_, inst);
  if (!shape || manners_.of(module_[inst].result).no_contraction) return std::nullopt;
  if (module_[inst].op != Op::OpOuterProduct && keeps_order(inst)) return std::nullopt;
  const Refs& left = refs_[module_.operand(inst, 0).word];
  const Refs& right = refs_[module_.operand(inst, 1).word];
  const auto type = varyings::scalar_type_of(module_, module_[inst].type);
  if (left.empty() || right.empty() || !type) return std::nullopt;
  Refs result;
  for (std::uint32_t column = 0; column < shape->columns; ++column)
    for (std::uint32_t row = 0; row < shape->rows; ++row) {
      std::vector<std::pair<Ref, Ref>> factors;
      for (std::uint32_t k = 0; k < shape->inner; ++k)
        factors.emplace_back(left[shape->left(row, k)], right[shape->right(k, column)]);
      result.push_back(multiply_add(factors, *type, module_[inst].result));
    }
  return result;
}

// Rule. As product(): the sums in it may be computed in any order.
std::optional<ValueReader::Refs> ValueReader::function_of_vectors(InstRef inst) {
  const spirv::OperationRow& row = spirv::row_of(module_, inst);
  const Id result = module_[inst].result;
  const bool is_logical = row.op == Op::OpAny || row.op == Op::OpAll;
  if (!row.is(spirv::kOfVectors) || manners_.of(result).no_contraction || (!is_logical && keeps_order(inst)))
    return std::nullopt;
  std::vector<Refs> operands;
  for (std::uint32_t i = spirv::first_value_operand(module_, inst); i < module_.operands(inst).size(); ++i) {
    operands.push_back(refs_[module_.operand(inst, i).word]);
    if (operands.back().empty()) return std::nullopt;
  }
  const spirv::Permissions permissions = permissions_of(result);
  ScalarCode code;
  code.type = varyings::scalar_type_of(module_, module_[inst].type).value_or(varyings::ScalarType{});
  code.operation = [&](Op op, std::uint32_t glsl, varyings::ScalarType type, std::vector<Ref> of) {
    return operation({op, glsl, false, type, std::move(of), permissions, result});
  };
  code.constant = [&](varyings::ScalarType type, std::vector<std::uint32_t> words) {
    return constant(type, std::move(words));
  };
  return vector_function(row, operands, code);
}

// Rule: wherever it is computed, by the same instruction of the same components.
std::optional<ValueReader::Refs> ValueReader::undivided_function(InstRef inst) {
  const Id result = module_[inst].result;
  if (!spirv::is_glsl_inst(module_, inst) || manners_.of(result).no_contraction) return std::nullopt;
  const auto type = varyings::scalar_type_of(module_, module_[inst].type);
  ScalarOperation scalar{Op::OpExtInst, module_.operand(inst, 1).word};
  scalar.operands = refs_[module_.operand(inst, spirv::first_value_operand(module_, inst)).word];
  if (!type || !undivided_shape(scalar.glsl, scalar.operands.size())) return std::nullopt;
  scalar.type = *type;
  scalar.permissions = permissions_of(result);
  scalar.result = result;
  Refs refs;
  for (std::uint32_t i = 0; i < spirv::scalars_of_number(module_, module_[inst].type); ++i) {
    scalar.component = i;
    refs.push_back(operation(scalar));
  }
  return refs;
}

// Users of the value may be computed where no branch guards them, here or in another stage.
bool ValueReader::is_safe_to_speculate(InstRef load) {
  if (function_.blocks.size() == 1 || seeded_fault("guarded-loads-run-always")) return true;
  if (!certain_) certain_.emplace(module_, function_, certain_until_);
  return certain_->is_safe_to_speculate(load);
}

std::optional<ValueReader::Refs> ValueReader::load(InstRef inst) {
  const auto type = varyings::scalar_type_of(module_, module_[inst].type);
  const auto read = type ? resources_.read_by(inst) : std::nullopt;
  const Ref index = read && read->index != 0 ? ref(read->index, 0) : kNoRef;
  const bool is_unknown = read && read->index != 0 && index == kNoRef;
  if (!read || is_unknown) return std::nullopt;
  const auto is_there = [&](const ResourceKey& key) { return is_there_for_users(*type, key); };
  if (!is_safe_to_speculate(inst) && !std::all_of(read->keys.begin(), read->keys.end(), is_there)) return std::nullopt;
  Refs result;
  for (const ResourceKey& key : read->keys) {
    result.push_back(key.is_indexed() ? indexed_resource(*type, key, index) : resource(*type, key));
    if (key.is_indexed() && result.back() == kNoRef) return std::nullopt;
  }
  return result;
}

// Component by component what the index selects of the elements of a local array or vector (rule ).
std::optional<ValueReader::Refs> ValueReader::look_up(InstRef inst) {
  if (!looks_up() || !LocalTables::may_be_lookup(module_, inst)) return std::nullopt;
  if (!tables_) tables_.emplace(module_, function_);
  const auto found = tables_->lookup(inst);
  const auto type = varyings::scalar_type_of(module_, module_[inst].type);
  if (!found || !type) return std::nullopt;
  const Ref index = ref(found->index, 0);
  const auto index_type = varyings::scalar_type_of(module_, module_.type_of(found->index));
  if (index == kNoRef || !index_type || index_type->width != 32) return std::nullopt;
  Refs result;
  for (std::uint32_t i = 0; i < spirv::scalars_of_number(module_, module_[inst].type); ++i) {
    std::vector<Ref> entries;
    for (const TableElement& element : found->elements)
      entries.push_back(ref(element.value, element.first_component + i));
    const bool are_known = std::find(entries.begin(), entries.end(), kNoRef) == entries.end();
    result.push_back(are_known ? entry(index, *index_type, entries, *type) : kNoRef);
    if (result.back() == kNoRef) return std::nullopt;
  }
  return result;
}

// A component of a vector at an index that is computed, as that of a table.
std::optional<ValueReader::Refs> ValueReader::extract_at(InstRef inst) {
  const Id index_id = module_.operand(inst, 1).word;
  const auto type = varyings::scalar_type_of(module_, module_[inst].type);
  const auto index_type = varyings::scalar_type_of(module_, module_.type_of(index_id));
  const Refs& entries = refs_[module_.operand(inst, 0).word];
  const Ref index = ref(index_id, 0);
  if (!looks_up() || !type || !index_type || index_type->width != 32 || index == kNoRef || entries.empty() ||
      std::find(entries.begin(), entries.end(), kNoRef) != entries.end())
    return std::nullopt;
  const Ref chosen = entry(index, *index_type, entries, *type);
  return chosen == kNoRef ? std::nullopt : std::optional(Refs{chosen});
}

Ref ValueReader::selection(Ref index, varyings::ScalarType index_type, const std::vector<Ref>& entries,
                           varyings::ScalarType type) {
  constexpr varyings::ScalarType kBoolean{varyings::ScalarKind::boolean, 1};
  Ref chosen = entries.back();
  for (auto i = static_cast<std::uint32_t>(entries.size() - 1); i-- > 0;) {
    const Ref number = constant(index_type, {i});
    const Ref is_here = operation({Op::OpIEqual, 0, false, kBoolean, {index, number}});
    chosen = operation({Op::OpSelect, 0, false, type, {is_here, entries[i], chosen}});
  }
  return chosen;
}

Value value_of(const ScalarOperation& operation) {
  Value value;
  value.kind = ValueKind::operation;
  value.op = operation.op;
  value.glsl = operation.glsl;
  value.no_contraction = operation.no_contraction;
  value.permissions = operation.permissions;
  value.type = operation.type;
  value.operands = operation.operands;
  if (operation.component) value.words = {*operation.component};
  return value;
}

Value value_of(const SpecConstantKey& key) {
  Value value;
  value.kind = ValueKind::specialization;
  value.type = key.type;
  value.words = key.words();
  return value;
}

Value value_of(varyings::ScalarType type, const ResourceKey& key) {
  Value value;
  value.kind = ValueKind::resource;
  value.type = type;
  value.words = key.words();
  return value;
}

Value value_of(varyings::ScalarType type, const ResourceKey& key, ValueId index) {
  Value value = value_of(type, key);
  value.operands = {index};
  return value;
}

}  // namespace varylink::graph
