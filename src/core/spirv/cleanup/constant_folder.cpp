#include "spirv/cleanup/constant_folder.h"

#include <algorithm>

#include "base/seeded_fault.h"
#include "spirv/cleanup/undefined_operations.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/operations.h"

namespace varylink::spirv {
namespace {

using spv::Op;

// The operands behind the first `skipped`, kept while constants are added.
std::vector<Operand> literals_behind(const Module& module, InstRef inst, std::size_t skipped) {
  const auto operands = module.operands(inst).subspan(skipped);
  return {operands.begin(), operands.end()};
}

// With storage capabilities alone there are no constants of types narrower than a word (SPIR-V, capabilities Int8,
// Int16 and Float16).
bool may_be_constant(const Module& module, NumberType type) {
  if (type.kind == NumberType::Kind::boolean || type.width >= 32) return true;
  if (type.kind == NumberType::Kind::floating) return module.has_capability(spv::Capability::Float16);
  return module.has_capability(type.width == 8 ? spv::Capability::Int8 : spv::Capability::Int16);
}

}  // namespace

bool is_constant(const Module& module, Id value) {
  const Op op = module.def_op(value);
  return op >= Op::OpConstantTrue && op <= Op::OpConstantNull;
}

bool is_clamp(const Module& module, InstRef inst) { return row_of(module, inst).formula == Formula::clamp; }

std::optional<bool> clamped_comparison(const Module& module, InstRef inst, std::uint32_t position, Id constant) {
  const Op op = module[inst].op;
  if (op < Op::OpFOrdLessThan || op > Op::OpFUnordGreaterThanEqual) return std::nullopt;
  const InstRef clamp = module.def(module.operand(inst, 1 - position).word);
  const std::optional<Bits> bits = constant_bits(module, constant);
  const std::optional<NumberType> type = number_type(module, module.type_of(constant));
  if (!clamp || !bits || !is_clamp(module, clamp) || type->kind != NumberType::Kind::floating) return std::nullopt;
  std::optional<Bits> both;
  for (const std::uint32_t bound : {3u, 4u}) {
    const std::optional<Bits> limit = constant_bits(module, module.operand(clamp, bound).word);
    if (!limit) return std::nullopt;
    const Bits operands[2] = {position == 0 ? *bits : *limit, position == 0 ? *limit : *bits};
    const std::optional<Bits> result = apply(op, 0, {NumberType::Kind::boolean, 1}, *type, operands);
    if (!result || (both && *both != *result)) return std::nullopt;
    both = result;
  }
  return *both != 0;
}

ConstantFolder::ConstantFolder(Module& module) : module_(module), globals_(module) {
  for (const InstRef inst : module.execution_modes)
    if (module.operand(inst, 1).word == static_cast<std::uint32_t>(spv::ExecutionMode::RoundingModeRTZ))
      rounds_to_nearest_ = false;
  for (const InstRef inst : module.annotations)
    if (module[inst].op == Op::OpDecorate &&
        module.operand(inst, 1).word == static_cast<std::uint32_t>(spv::Decoration::FPRoundingMode))
      rounds_to_nearest_ = false;
  for (const InstRef inst : module.types) {
    if (module[inst].op != Op::OpConstantComposite) continue;
    std::vector<Id> key = {module[inst].type};
    for (const Operand& part : module.operands(inst)) key.push_back(part.word);
    composites_.emplace(std::move(key), module[inst].result);
  }
}

std::optional<NumberType> ConstantFolder::component_type(Id type) const {
  return number_type(module_, module_.def_op(type) == Op::OpTypeVector ? element_type(module_, type) : type);
}

std::optional<ConstantFolder::Numbers> ConstantFolder::numbers_of(Id constant) const {
  const InstRef def = module_.def(constant);
  const Id type = module_[def].type;
  if (!component_type(type)) return std::nullopt;
  switch (module_[def].op) {
    case Op::OpConstantNull: return Numbers(component_count(module_, type), 0);
    case Op::OpConstantComposite: {
      std::vector<Id> parts;
      for (const Operand& part : module_.operands(def)) parts.push_back(part.word);
      return joined(parts);
    }
    default: {
      const std::optional<Bits> bits = constant_bits(module_, constant);
      return bits ? std::optional(Numbers{*bits}) : std::nullopt;
    }
  }
}

// Of scalars and vectors, one behind the other.
std::optional<ConstantFolder::Numbers> ConstantFolder::joined(std::span<const Id> parts) const {
  Numbers numbers;
  for (const Id part : parts) {
    const std::optional<Numbers> own = is_constant(module_, part) ? numbers_of(part) : std::nullopt;
    if (!own) return std::nullopt;
    numbers.insert(numbers.end(), own->begin(), own->end());
  }
  return numbers;
}

Id ConstantFolder::make(Id type, const Numbers& numbers) {
  if (numbers.size() > 1) {
    std::vector<Id> parts;
    for (const Bits number : numbers) parts.push_back(make(element_type(module_, type), {number}));
    return composite(type, parts);
  }
  if (module_.def_op(type) == Op::OpTypeBool) return globals_.bool_constant(numbers[0] != 0);
  const InstRef def = module_.def(type);
  const std::uint32_t width = module_.operand(def, 0).word;
  auto low = static_cast<std::uint32_t>(numbers[0]);
  // Signed literals of less than a word are sign-extended (SPIR-V 2.2.1).
  const bool is_negative = width < 32 && module_[def].op == Op::OpTypeInt && module_.operand(def, 1).word != 0 &&
                           (low >> (width - 1) & 1u) != 0;
  if (is_negative) low |= ~0u << width;
  if (width <= 32) return globals_.scalar_constant(type, {low});
  return globals_.scalar_constant(type, {low, static_cast<std::uint32_t>(numbers[0] >> 32)});
}

Id ConstantFolder::composite(Id type, const std::vector<Id>& parts) {
  std::vector<Id> key = {type};
  key.insert(key.end(), parts.begin(), parts.end());
  const auto [entry, is_new] = composites_.try_emplace(std::move(key), 0);
  if (is_new) entry->second = globals_.composite_constant(type, parts);
  return entry->second;
}

Id ConstantFolder::canonical(Id constant) {
  if (constant < canonical_.size() && canonical_[constant] != 0) return canonical_[constant];
  const std::optional<Numbers> numbers = numbers_of(constant);
  const Id found = numbers ? make(module_.type_of(constant), *numbers) : constant;
  if (canonical_.size() <= constant) canonical_.resize(module_.bound, 0);
  return canonical_[constant] = found;
}

// The validator lets a constant have parts of another type than its own says.
std::optional<Id> ConstantFolder::typed(Id type, Id constant) {
  return module_.type_of(constant) == type ? std::optional(canonical(constant)) : std::nullopt;
}

std::optional<Id> ConstantFolder::fold(InstRef inst, std::span<const Id> operands) {
  switch (module_[inst].op) {
    case Op::OpBitcast: return fold_cast(inst, operands[0]);
    case Op::OpCopyObject: return typed(module_[inst].type, operands[0]);
    case Op::OpCompositeConstruct: return fold_construct(inst, operands);
    case Op::OpCompositeExtract: return fold_extract(inst, operands[0]);
    case Op::OpVectorShuffle: return fold_shuffle(inst, operands);
    case Op::OpCompositeInsert: return with_part(operands[1], operands[0], literals_behind(module_, inst, 2));
    case Op::OpSelect: return fold_select(inst, operands);
    case Op::OpAll:
    case Op::OpAny: return fold_all_or_any(inst, operands[0]);
    default: return fold_component_wise(inst, operands);
  }
}

// Of integers to integers of the same width. The bits of floats stay casts, which say where they come from.
std::optional<Id> ConstantFolder::fold_cast(InstRef inst, Id operand) {
  const Id type = module_[inst].type;
  const auto to = component_type(type), from = component_type(module_.type_of(operand));
  if (!to || to->kind != NumberType::Kind::integer || to != from) return std::nullopt;
  const std::optional<Numbers> numbers = numbers_of(operand);
  return numbers && numbers->size() == component_count(module_, type) ? std::optional(make(type, *numbers))
                                                                      : std::nullopt;
}

std::optional<Id> ConstantFolder::fold_construct(InstRef inst, std::span<const Id> operands) {
  const Id type = module_[inst].type;
  if (module_.def_op(type) != Op::OpTypeVector) {
    std::vector<Id> parts;
    for (const Id part : operands) parts.push_back(canonical(part));
    return composite(type, parts);
  }
  const std::optional<Numbers> numbers = joined(operands);
  return numbers && numbers->size() == component_count(module_, type) ? std::optional(make(type, *numbers))
                                                                      : std::nullopt;
}

std::optional<Id> ConstantFolder::fold_extract(InstRef inst, Id whole) {
  for (const Operand& index : literals_behind(module_, inst, 1)) {
    const InstRef def = module_.def(whole);
    if (module_[def].op == Op::OpConstantNull) {
      const Id type = element_type(module_, module_[def].type, index.word);
      if (type == 0) return std::nullopt;
      whole = globals_.null_constant(type);
    } else {
      if (module_[def].op != Op::OpConstantComposite || index.word >= module_.operands(def).size()) return std::nullopt;
      whole = module_.operand(def, index.word).word;
    }
  }
  return is_constant(module_, whole) ? typed(module_[inst].type, whole) : std::nullopt;
}

std::optional<Id> ConstantFolder::with_part(Id whole, Id part, std::span<const Operand> path) {
  const InstRef def = module_.def(whole);
  const Id type = module_[def].type;
  if (path.empty()) return typed(type, part);
  const bool is_null = module_[def].op == Op::OpConstantNull;
  if (!is_null && module_[def].op != Op::OpConstantComposite) return std::nullopt;
  const std::uint32_t count = element_count(module_, type);
  if (path.front().word >= count) return std::nullopt;
  std::vector<Id> parts;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Id old = is_null ? globals_.null_constant(element_type(module_, type, i)) : module_.operand(def, i).word;
    if (!is_constant(module_, old)) return std::nullopt;
    const std::optional<Id> own = i == path.front().word ? with_part(old, part, path.subspan(1)) : canonical(old);
    if (!own) return std::nullopt;
    parts.push_back(*own);
  }
  return composite(type, parts);
}

std::optional<Id> ConstantFolder::fold_shuffle(InstRef inst, std::span<const Id> operands) {
  const std::optional<Numbers> numbers = joined(operands);
  if (!numbers) return std::nullopt;
  Numbers chosen;
  for (const Operand& lane : module_.operands(inst).subspan(2)) {
    if (lane.word >= numbers->size()) return std::nullopt;
    chosen.push_back((*numbers)[lane.word]);
  }
  return make(module_[inst].type, chosen);
}

std::optional<Id> ConstantFolder::fold_select(InstRef inst, std::span<const Id> operands) {
  const std::optional<Numbers> condition = numbers_of(operands[0]), then = numbers_of(operands[1]),
                               otherwise = numbers_of(operands[2]);
  if (!condition || !then || !otherwise) return std::nullopt;
  Numbers numbers;
  for (std::size_t i = 0; i < then->size(); ++i)
    numbers.push_back(((*condition)[condition->size() == 1 ? 0 : i] != 0 ? *then : *otherwise)[i]);
  return make(module_[inst].type, numbers);
}

std::optional<Id> ConstantFolder::fold_all_or_any(InstRef inst, Id operand) {
  const std::optional<Numbers> numbers = numbers_of(operand);
  if (!numbers) return std::nullopt;
  const auto holds = [](Bits number) { return number != 0; };
  return boolean(module_[inst].op == Op::OpAll ? std::all_of(numbers->begin(), numbers->end(), holds)
                                               : std::any_of(numbers->begin(), numbers->end(), holds));
}

std::optional<Id> ConstantFolder::fold_component_wise(InstRef inst, std::span<const Id> operands) {
  const Id type = module_[inst].type;
  const Op op = module_[inst].op;
  if (op == Op::OpExtInst ? !is_glsl_inst(module_, inst)
                          : !is_component_wise(module_, inst) && op != Op::OpVectorTimesScalar)
    return std::nullopt;
  const auto result = component_type(type), of = component_type(module_.type_of(operands.front()));
  if (!result || !of || !may_be_constant(module_, *result)) return std::nullopt;
  const std::size_t count = component_count(module_, type);
  std::vector<Numbers> values;
  for (const Id operand : operands) {
    std::optional<Numbers> numbers = numbers_of(operand);
    if (!numbers || (numbers->size() != count && !(op == Op::OpVectorTimesScalar && numbers->size() == 1)))
      return std::nullopt;
    numbers->resize(count, numbers->front());
    values.push_back(std::move(*numbers));
  }
  Numbers folded;
  for (std::size_t i = 0; i < count; ++i) {
    Numbers component;
    for (const Numbers& value : values) component.push_back(value[i]);
    const std::uint32_t glsl = op == Op::OpExtInst ? module_.operand(inst, 1).word : 0;
    std::optional<Bits> bits = apply(op, glsl, *result, *of, component);
    if (!bits && !seeded_fault("undefined-constants-stay")) bits = any_result(op, glsl, *result, *of, component);
    if (!bits || (!rounds_to_nearest_ && !is_exact(op, *result, *of, component, *bits))) return std::nullopt;
    folded.push_back(*bits);
  }
  return make(type, folded);
}

}  // namespace varylink::spirv
