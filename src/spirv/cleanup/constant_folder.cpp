#include "spirv/cleanup/constant_folder.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <bit>

#include "spirv/cleanup/word_operations.h"
#include "spirv/ir/op_info.h"

namespace varylink::spirv {
namespace {

using spv::Op;

// The operands behind the first `skipped`, kept while constants are added.
std::vector<Operand> literals_behind(const Module& module, InstRef inst, std::size_t skipped) {
  const auto operands = module.operands(inst).subspan(skipped);
  return {operands.begin(), operands.end()};
}

// Integer operations may be decided by one operand if that is one of these, or composed of any.
bool is_one_of(const Module& module, Id value, std::initializer_list<std::uint32_t> words) {
  const InstRef def = module.def(value);
  if (module[def].op != Op::OpConstant) return true;
  return std::find(words.begin(), words.end(), module.operand(def, 0).word) != words.end();
}

std::optional<std::uint32_t> float_bits(const Module& module, Id value) {
  const InstRef def = module.def(value);
  if (!def || module.operands(def).size() != 1 || module[def].op != Op::OpConstant) return std::nullopt;
  return module.operand(def, 0).word;
}

bool is_zero(const Module& module, Id value) {
  if (!is_constant(module, value)) return false;
  const auto operands = module.operands(module.def(value));  // none of OpConstantNull
  return std::all_of(operands.begin(), operands.end(), [&](const Operand& operand) {
    return operand.is_id ? is_zero(module, operand.word) : (operand.word & 0x7fffffffu) == 0;
  });
}

}  // namespace

bool is_constant(const Module& module, Id value) {
  const Op op = module.def_op(value);
  return op >= Op::OpConstantTrue && op <= Op::OpConstantNull;
}

bool is_clamp(const Module& module, InstRef inst) {
  if (module[inst].op != Op::OpExtInst) return false;
  const std::uint32_t number = module.operand(inst, 1).word;
  return number == GLSLstd450FClamp || number == GLSLstd450UClamp || number == GLSLstd450SClamp;
}

std::optional<bool> clamped_comparison(const Module& module, InstRef inst, std::uint32_t position, Id constant) {
  const Op op = module[inst].op;
  if (op < Op::OpFOrdLessThan || op > Op::OpFUnordGreaterThanEqual) return std::nullopt;
  const InstRef clamp = module.def(module.operand(inst, 1 - position).word);
  const std::optional<std::uint32_t> bits = float_bits(module, constant);
  if (!clamp || !bits || !is_clamp(module, clamp) || module.operand(clamp, 1).word != GLSLstd450FClamp)
    return std::nullopt;
  std::optional<std::uint32_t> both;
  for (const std::uint32_t bound : {3u, 4u}) {
    const std::optional<std::uint32_t> limit = float_bits(module, module.operand(clamp, bound).word);
    if (!limit) return std::nullopt;
    const std::uint32_t operands[2] = {position == 0 ? *bits : *limit, position == 0 ? *limit : *bits};
    const std::optional<std::uint32_t> result = apply_to_words(op, 0, operands);
    if (!result || (both && *both != *result)) return std::nullopt;
    both = result;
  }
  return *both != 0;
}

bool may_decide(const Module& module, InstRef inst, std::uint32_t position, Id constant) {
  const Op op = module[inst].op;
  switch (op) {
    case Op::OpVectorTimesScalar:
    case Op::OpDot: return is_zero(module, constant);
    case Op::OpExtInst: return is_clamp(module, inst) && position == 0;
    case Op::OpIMul:
    case Op::OpUDiv:
    case Op::OpSDiv:
    case Op::OpSRem:
    case Op::OpSMod:
    case Op::OpUMod:
    case Op::OpBitwiseOr:
    case Op::OpBitwiseAnd: return is_one_of(module, constant, {0, 0xffffffffu, 0x7fffffffu, 0x80000000u});
    case Op::OpLogicalOr:
    case Op::OpLogicalAnd:
    case Op::OpShiftLeftLogical:
    case Op::OpShiftRightLogical: return true;
    case Op::OpUGreaterThan:
    case Op::OpUGreaterThanEqual:
    case Op::OpULessThan:
    case Op::OpULessThanEqual: return is_one_of(module, constant, {0, 0xffffffffu});
    case Op::OpSGreaterThan:
    case Op::OpSGreaterThanEqual:
    case Op::OpSLessThan:
    case Op::OpSLessThanEqual: return is_one_of(module, constant, {0x7fffffffu, 0x80000000u});
    default: return clamped_comparison(module, inst, position, constant).has_value();
  }
}

ConstantFolder::ConstantFolder(Module& module) : module_(module), globals_(module) {
  for (const InstRef inst : module.execution_modes)
    if (module.operand(inst, 1).word == static_cast<std::uint32_t>(spv::ExecutionMode::RoundingModeRTZ))
      rounds_to_nearest_ = false;
  for (const InstRef inst : module.types) {
    if (module[inst].op != Op::OpConstantComposite) continue;
    std::vector<Id> key = {module[inst].type};
    for (const Operand& part : module.operands(inst)) key.push_back(part.word);
    composites_.emplace(std::move(key), module[inst].result);
  }
}

bool ConstantFolder::is_word_type(Id type) const {
  const InstRef def = module_.def(type);
  switch (module_.def_op(type)) {
    case Op::OpTypeBool: return true;
    case Op::OpTypeInt:
    case Op::OpTypeFloat: return module_.operand(def, 0).word == 32;
    case Op::OpTypeVector: return is_word_type(module_.operand(def, 0).word);
    default: return false;
  }
}

std::optional<ConstantFolder::Words> ConstantFolder::words_of(Id constant) const {
  const InstRef def = module_.def(constant);
  const Id type = module_[def].type;
  if (!is_word_type(type)) return std::nullopt;
  switch (module_[def].op) {
    case Op::OpConstantTrue: return Words{1};
    case Op::OpConstantFalse: return Words{0};
    case Op::OpConstant: return Words{module_.operand(def, 0).word};
    case Op::OpConstantNull: return Words(component_count(module_, type), 0);
    case Op::OpConstantComposite: {
      Words words;
      for (const Operand& part : module_.operands(def)) {
        const std::optional<Words> own = is_constant(module_, part.word) ? words_of(part.word) : std::nullopt;
        if (!own) return std::nullopt;
        words.insert(words.end(), own->begin(), own->end());
      }
      return words;
    }
    default: return std::nullopt;
  }
}

Id ConstantFolder::make(Id type, const Words& words) {
  if (words.size() == 1 && module_.def_op(type) == Op::OpTypeBool) return globals_.bool_constant(words[0] != 0);
  if (words.size() == 1) return globals_.scalar_constant(type, words);
  const Id scalar = element_type(module_, type);
  std::vector<Id> parts;
  for (const std::uint32_t word : words) parts.push_back(make(scalar, {word}));
  return composite(type, parts);
}

Id ConstantFolder::composite(Id type, const std::vector<Id>& parts) {
  std::vector<Id> key = {type};
  key.insert(key.end(), parts.begin(), parts.end());
  const auto [entry, is_new] = composites_.try_emplace(std::move(key), 0);
  if (is_new) entry->second = globals_.composite_constant(type, parts);
  return entry->second;
}

Id ConstantFolder::canonical(Id constant) {
  const Id type = module_.type_of(constant);
  const std::optional<Words> words = words_of(constant);
  return words ? make(type, *words) : constant;
}

// The validator lets a constant have parts of another type than its own says.
std::optional<Id> ConstantFolder::typed(Id type, Id constant) {
  return module_.type_of(constant) == type ? std::optional(canonical(constant)) : std::nullopt;
}

std::optional<Id> ConstantFolder::fold(InstRef inst, std::span<const Id> operands) {
  switch (module_[inst].op) {
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

std::optional<Id> ConstantFolder::fold_construct(InstRef inst, std::span<const Id> operands) {
  const Id type = module_[inst].type;
  if (module_.def_op(type) != Op::OpTypeVector) {
    std::vector<Id> parts;
    for (const Id part : operands) parts.push_back(canonical(part));
    return composite(type, parts);
  }
  if (is_of_doubles(type)) {
    const auto values = joined_doubles(operands);
    return values && values->size() == component_count(module_, type) ? std::optional(make_doubles(type, *values))
                                                                      : std::nullopt;
  }
  Words words;
  for (const Id part : operands) {
    const std::optional<Words> own = words_of(part);
    if (!own) return std::nullopt;
    words.insert(words.end(), own->begin(), own->end());
  }
  return is_word_type(type) && words.size() == component_count(module_, type) ? std::optional(make(type, words))
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
  std::optional<Words> words = words_of(operands[0]);
  const std::optional<Words> more = words_of(operands[1]);
  if (!words || !more) return std::nullopt;
  words->insert(words->end(), more->begin(), more->end());
  Words chosen;
  for (const Operand& lane : module_.operands(inst).subspan(2)) {
    if (lane.word >= words->size()) return std::nullopt;
    chosen.push_back((*words)[lane.word]);
  }
  return make(module_[inst].type, chosen);
}

std::optional<Id> ConstantFolder::fold_select(InstRef inst, std::span<const Id> operands) {
  const std::optional<Words> condition = words_of(operands[0]), then = words_of(operands[1]),
                             otherwise = words_of(operands[2]);
  if (!condition || !then || !otherwise) return std::nullopt;
  Words words;
  for (std::size_t i = 0; i < then->size(); ++i)
    words.push_back(((*condition)[condition->size() == 1 ? 0 : i] != 0 ? *then : *otherwise)[i]);
  return make(module_[inst].type, words);
}

std::optional<Id> ConstantFolder::fold_all_or_any(InstRef inst, Id operand) {
  const std::optional<Words> words = words_of(operand);
  if (!words) return std::nullopt;
  const auto holds = [](std::uint32_t word) { return word != 0; };
  return boolean(module_[inst].op == Op::OpAll ? std::all_of(words->begin(), words->end(), holds)
                                               : std::any_of(words->begin(), words->end(), holds));
}

std::optional<Id> ConstantFolder::fold_component_wise(InstRef inst, std::span<const Id> operands) {
  const Id type = module_[inst].type;
  const Op op = module_[inst].op;
  if (op == Op::OpExtInst ? !is_glsl_inst(module_, inst)
                          : !is_component_wise(module_, inst) && op != Op::OpVectorTimesScalar)
    return std::nullopt;
  if (is_of_doubles(module_.type_of(operands.front()))) return fold_doubles(inst, operands);
  if (!is_word_type(type)) return std::nullopt;
  const std::size_t count = component_count(module_, type);
  std::vector<Words> values;
  for (const Id operand : operands) {
    std::optional<Words> words = words_of(operand);
    if (!words || (words->size() != count && !(op == Op::OpVectorTimesScalar && words->size() == 1)))
      return std::nullopt;
    words->resize(count, words->front());
    values.push_back(std::move(*words));
  }
  Words result;
  for (std::size_t i = 0; i < count; ++i) {
    Words component;
    for (const Words& value : values) component.push_back(value[i]);
    const auto word = apply_to_words(op, op == Op::OpExtInst ? module_.operand(inst, 1).word : 0, component);
    if (!word || (!rounds_to_nearest_ && !is_exact(op, component, *word))) return std::nullopt;
    result.push_back(*word);
  }
  return make(type, result);
}

bool ConstantFolder::is_of_doubles(Id type) const {
  if (module_.def_op(type) == Op::OpTypeVector) type = element_type(module_, type);
  return module_.def_op(type) == Op::OpTypeFloat && module_.operand(module_.def(type), 0).word == 64;
}

std::optional<std::vector<double>> ConstantFolder::doubles_of(Id constant) const {
  const InstRef def = module_.def(constant);
  if (!is_of_doubles(module_[def].type)) return std::nullopt;
  const auto operands = module_.operands(def);
  switch (module_[def].op) {
    case Op::OpConstantNull: return std::vector<double>(component_count(module_, module_[def].type), 0);
    case Op::OpConstant: {
      const std::uint64_t bits = operands[0].word | std::uint64_t{operands[1].word} << 32;
      return std::vector{std::bit_cast<double>(bits)};
    }
    case Op::OpConstantComposite: {
      std::vector<Id> parts;
      for (const Operand& part : operands) parts.push_back(part.word);
      return joined_doubles(parts);
    }
    default: return std::nullopt;
  }
}

// Of scalars and vectors, one behind the other.
std::optional<std::vector<double>> ConstantFolder::joined_doubles(std::span<const Id> parts) const {
  std::vector<double> values;
  for (const Id part : parts) {
    const auto own = is_constant(module_, part) ? doubles_of(part) : std::nullopt;
    if (!own) return std::nullopt;
    values.insert(values.end(), own->begin(), own->end());
  }
  return values;
}

Id ConstantFolder::make_doubles(Id type, const std::vector<double>& values) {
  if (values.size() == 1) {
    const auto bits = std::bit_cast<std::uint64_t>(values[0]);
    return globals_.scalar_constant(type, {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)});
  }
  std::vector<Id> parts;
  for (const double value : values) parts.push_back(make_doubles(element_type(module_, type), {value}));
  return composite(type, parts);
}

std::optional<Id> ConstantFolder::fold_doubles(InstRef inst, std::span<const Id> operands) {
  const Op op = module_[inst].op;
  const Id type = module_[inst].type;
  const std::size_t count = component_count(module_, type);
  std::vector<std::vector<double>> values;
  for (const Id operand : operands) {
    auto own = doubles_of(operand);
    if (!own || (own->size() != count && !(op == Op::OpVectorTimesScalar && own->size() == 1))) return std::nullopt;
    own->resize(count, own->front());
    values.push_back(std::move(*own));
  }
  std::vector<double> results;
  Words comparisons;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> component;
    for (const auto& value : values) component.push_back(value[i]);
    if (is_of_doubles(type)) {
      const auto result = rounds_to_nearest_ || op == Op::OpFNegate ? apply_to_doubles(op, component) : std::nullopt;
      if (!result) return std::nullopt;
      results.push_back(*result);
    } else {
      const bool is_pair = component.size() == 2 && is_plain_number(component[0]) && is_plain_number(component[1]);
      const auto result = is_pair ? compare_floats(op, component[0], component[1]) : std::nullopt;
      if (!result) return std::nullopt;
      comparisons.push_back(*result);
    }
  }
  return is_of_doubles(type) ? make_doubles(type, results) : make(type, comparisons);
}

}  // namespace varylink::spirv
