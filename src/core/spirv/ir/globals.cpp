#include "spirv/ir/globals.h"

#include <algorithm>
#include <bit>
#include <set>
#include <span>
#include <utility>

#include "base/word_hash.h"
#include "spirv/ir/operations.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {
namespace {

std::size_t hash_of(spv::Op op, Id type, std::span<const Operand> operands) {
  WordHash hash;
  hash.add(static_cast<std::uint32_t>(op));
  hash.add(type);
  for (const Operand& operand : operands) hash.add(operand.word);
  return hash.value();
}

}  // namespace

Globals::Globals(Module& module) : module_(module) {}

Globals::Entry& Globals::entry_of(std::size_t hash, spv::Op op, Id type, std::span<const Operand> operands) {
  const auto is_same = [&](Id id) {
    const InstRef def = module_.def(id);
    return def && module_[def].op == op && module_[def].type == type &&
           std::ranges::equal(module_.operands(def), operands, {}, &Operand::word, &Operand::word);
  };
  std::size_t place = hash & (index_.size() - 1);
  while (index_[place].id != 0 && (index_[place].hash != hash || !is_same(index_[place].id)))
    place = (place + 1) & (index_.size() - 1);
  return index_[place];
}

// Of constants that are declared twice the first one counts.
void Globals::index_module() {
  if (!index_.empty()) return;
  index_.resize(std::bit_ceil(2 * module_.types.size() + 16));
  for (const InstRef inst : module_.types) {
    const Inst& record = module_[inst];
    if (!row_of(record.op).is(kDeclaredOnce)) continue;
    const auto operands = module_.operands(inst);
    const std::size_t hash = hash_of(record.op, record.type, operands);
    Entry& entry = entry_of(hash, record.op, record.type, operands);
    if (entry.id != 0) continue;
    entry = {hash, record.result};
    ++indexed_;
  }
}

void Globals::grow() {
  std::vector<Entry> before = std::exchange(index_, std::vector<Entry>(2 * index_.size()));
  for (const Entry& entry : before) {
    if (entry.id == 0) continue;
    std::size_t place = entry.hash & (index_.size() - 1);
    while (index_[place].id != 0) place = (place + 1) & (index_.size() - 1);
    index_[place] = entry;
  }
}

Id Globals::find_or_add(spv::Op op, Id type, const std::vector<Operand>& operands) {
  index_module();
  if (2 * indexed_ >= index_.size()) grow();
  const std::size_t hash = hash_of(op, type, operands);
  Entry& entry = entry_of(hash, op, type, operands);
  if (entry.id != 0) return entry.id;
  const Id result = module_.new_id();
  module_.types.push_back(module_.create(op, type, result, operands));
  entry = {hash, result};
  ++indexed_;
  return result;
}

Id Globals::void_type() { return find_or_add(spv::Op::OpTypeVoid, 0, {}); }
Id Globals::bool_type() { return find_or_add(spv::Op::OpTypeBool, 0, {}); }
Id Globals::int_type(std::uint32_t width, bool is_signed) {
  return find_or_add(spv::Op::OpTypeInt, 0, {lit(width), lit(is_signed ? 1 : 0)});
}
Id Globals::float_type(std::uint32_t width) { return find_or_add(spv::Op::OpTypeFloat, 0, {lit(width)}); }

Id Globals::vector_type(Id scalar, std::uint32_t count) {
  return count == 1 ? scalar : find_or_add(spv::Op::OpTypeVector, 0, {id(scalar), lit(count)});
}

Id Globals::matrix_type(Id column, std::uint32_t count) {
  return find_or_add(spv::Op::OpTypeMatrix, 0, {id(column), lit(count)});
}

Id Globals::array_type(Id element, std::uint32_t length) {
  // Array types may carry an ArrayStride, so an existing one is never reused.
  const Id length_id = uint_constant(length);
  const Id result = module_.new_id();
  module_.types.push_back(module_.create(spv::Op::OpTypeArray, 0, result, {id(element), id(length_id)}));
  return result;
}

Id Globals::pointer_type(spv::StorageClass storage, Id pointee) {
  return find_or_add(spv::Op::OpTypePointer, 0, {lit(static_cast<std::uint32_t>(storage)), id(pointee)});
}

Id Globals::uint_constant(std::uint32_t value) { return scalar_constant(int_type(32, false), {value}); }

Id Globals::bool_constant(bool value) {
  return find_or_add(value ? spv::Op::OpConstantTrue : spv::Op::OpConstantFalse, bool_type(), {});
}

Id Globals::scalar_constant(Id type, const std::vector<std::uint32_t>& bits) {
  std::vector<Operand> operands;
  for (const std::uint32_t word : bits) operands.push_back(lit(word));
  return find_or_add(spv::Op::OpConstant, type, operands);
}

Id Globals::composite_constant(Id type, const std::vector<Id>& parts) {
  std::vector<Operand> operands;
  for (const Id part : parts) operands.push_back(id(part));
  return find_or_add(spv::Op::OpConstantComposite, type, operands);
}

Id Globals::null_constant(Id type) { return find_or_add(spv::Op::OpConstantNull, type, {}); }
Id Globals::undef(Id type) { return find_or_add(spv::Op::OpUndef, type, {}); }

Id Globals::variable(spv::StorageClass storage, Id pointee, const std::string& name) {
  const Id type = pointer_type(storage, pointee);
  const Id result = module_.new_id();
  module_.types.push_back(
      module_.create(spv::Op::OpVariable, type, result, {lit(static_cast<std::uint32_t>(storage))}));
  if (!name.empty()) add_name(module_, result, name);
  return result;
}

Id Globals::glsl_std_450() {
  for (const InstRef inst : module_.imports)
    if (decode_string(module_.operands(inst), 0) == "GLSL.std.450") return module_[inst].result;
  const Id result = module_.new_id();
  module_.imports.push_back(module_.create(spv::Op::OpExtInstImport, 0, result, encode_string("GLSL.std.450")));
  return result;
}

std::uint32_t component_count(const Module& module, Id type) {
  switch (type_kind(module, type)) {
    case TypeKind::vector: return module.operand(module.def(type), 1).word;
    case TypeKind::boolean:
    case TypeKind::integer:
    case TypeKind::floating: return 1;
    default: return 0;
  }
}

Id element_type(const Module& module, Id type, std::uint32_t index) {
  const InstRef def = module.def(type);
  switch (type_kind(module, type)) {
    case TypeKind::vector:
    case TypeKind::matrix:
    case TypeKind::array:
    case TypeKind::runtime_array: return module.operand(def, 0).word;
    case TypeKind::structure: return module.operand(def, index).word;
    default: return 0;
  }
}

Id type_without_arrays(const Module& module, Id type) {
  while (module.def_op(type) == spv::Op::OpTypeArray) type = element_type(module, type);
  return type;
}

bool is_plain_type(const Module& module, Id type) {
  switch (type_kind(module, type)) {
    case TypeKind::boolean:
    case TypeKind::integer:
    case TypeKind::floating:
    case TypeKind::vector:
    case TypeKind::matrix: return true;
    case TypeKind::array: return is_plain_type(module, element_type(module, type));
    case TypeKind::structure: {
      const auto members = module.operands(module.def(type));
      return std::all_of(members.begin(), members.end(),
                         [&](const Operand& member) { return is_plain_type(module, member.word); });
    }
    default: return false;
  }
}

std::uint32_t element_count(const Module& module, Id type) {
  const InstRef def = module.def(type);
  switch (type_kind(module, type)) {
    case TypeKind::vector:
    case TypeKind::matrix: return module.operand(def, 1).word;
    case TypeKind::structure: return static_cast<std::uint32_t>(module.operands(def).size());
    case TypeKind::array: {
      const InstRef length = module.def(module.operand(def, 1).word);
      return length && module[length].op == spv::Op::OpConstant ? module.operand(length, 0).word : 0;
    }
    default: return 0;
  }
}

Id pointee_type(const Module& module, Id pointer_type) {
  return module.def_op(pointer_type) == spv::Op::OpTypePointer ? module.operand(module.def(pointer_type), 1).word : 0;
}

bool is_scalar_or_vector(const Module& module, Id type) { return component_count(module, type) != 0; }

void add_name(Module& module, Id target, const std::string& name) {
  std::vector<Operand> operands = {id(target)};
  const std::vector<Operand> text = encode_string(name);
  operands.insert(operands.end(), text.begin(), text.end());
  module.debug_names.push_back(module.create(spv::Op::OpName, 0, 0, operands));
}

bool is_variable_in(const Module& module, Id id, spv::StorageClass storage) {
  const InstRef def = module.def(id);
  return def && module[def].op == spv::Op::OpVariable &&
         static_cast<spv::StorageClass>(module.operand(def, 0).word) == storage;
}

bool has_initializer(const Module& module, Id variable) { return module.operands(module.def(variable)).size() > 1; }

void move_annotations(Module& module, Id from, Id to) {
  for (auto* list : {&module.annotations, &module.debug_names})
    for (const InstRef inst : *list) {
      const spv::Op op = module[inst].op;
      if ((op == spv::Op::OpDecorate || op == spv::Op::OpName) && module.operand(inst, 0).word == from)
        module.set_operand(inst, 0, id(to));
    }
}

void decorate(Module& module, Id target, spv::Decoration decoration) {
  module.annotations.push_back(
      module.create(spv::Op::OpDecorate, 0, 0, {id(target), lit(static_cast<std::uint32_t>(decoration))}));
}

void decorate(Module& module, Id target, spv::Decoration decoration, std::uint32_t literal) {
  module.annotations.push_back(module.create(spv::Op::OpDecorate, 0, 0,
                                             {id(target), lit(static_cast<std::uint32_t>(decoration)), lit(literal)}));
}

namespace {

void remove_from_interfaces(Module& module, std::span<const Id> targets) {
  for (const InstRef inst : module.entry_points) {
    std::vector<Operand> kept;
    for (const Operand& operand : module.operands(inst))
      if (!(operand.is_id && std::binary_search(targets.begin(), targets.end(), operand.word))) kept.push_back(operand);
    if (kept.size() != module.operands(inst).size()) module.rewrite(inst, spv::Op::OpEntryPoint, kept);
  }
}

constexpr std::uint32_t kVersion1_4 = 0x00010400;

}  // namespace

void make_internal(Module& module, Id variable) {
  for (const InstRef inst : module.annotations) {
    if (module.is_dead(inst) || module.operand(inst, 0).word != variable) continue;
    const auto decoration = static_cast<spv::Decoration>(module.operand(inst, 1).word);
    if (module[inst].op == spv::Op::OpDecorate && decoration != spv::Decoration::RelaxedPrecision) module.kill(inst);
  }
  if (module.version < kVersion1_4) remove_from_interfaces(module, {&variable, 1});
  module.sweep();
}

void remove_globals(Module& module, std::vector<Id> targets) {
  std::sort(targets.begin(), targets.end());
  const auto is_target = [&](const Operand& operand) {
    return operand.is_id && std::binary_search(targets.begin(), targets.end(), operand.word);
  };
  for (const auto* section : {&module.debug_names, &module.annotations})
    for (const InstRef inst : *section)
      if (!module.is_dead(inst) && is_target(module.operand(inst, 0))) module.kill(inst);
  for (const InstRef inst : module.types) {
    if (module.is_dead(inst) || !is_debug_inst(module, inst)) continue;
    const auto operands = module.operands(inst);
    if (std::any_of(operands.begin(), operands.end(), is_target)) module.kill(inst);
  }
  remove_from_interfaces(module, targets);
  for (const Id target : targets)
    if (const InstRef def = module.def(target)) module.kill(def);
}

void remove_global(Module& module, Id target) { remove_globals(module, {target}); }

void list_interfaces_once(Module& module) {
  for (const InstRef inst : module.entry_points) {
    std::set<Id> listed;
    std::vector<Operand> kept;
    for (const Operand& operand : module.operands(inst))
      if (!operand.is_id || listed.insert(operand.word).second) kept.push_back(operand);
    if (kept.size() != module.operands(inst).size()) module.rewrite(inst, spv::Op::OpEntryPoint, kept);
  }
}

void add_to_interface(Module& module, InstRef entry_point, Id variable) {
  module.append_operand(entry_point, id(variable));
}

bool has_bits(const Module& module, Id constant, std::uint32_t bits) {
  const InstRef def = module.def(constant);
  if (!def) return false;
  const auto operands = module.operands(def);
  switch (module[def].op) {
    case spv::Op::OpConstantNull: return bits == 0;
    case spv::Op::OpConstant: return operands.size() == 1 && operands[0].word == bits;
    case spv::Op::OpConstantComposite:
      return std::all_of(operands.begin(), operands.end(),
                         [&](const Operand& part) { return has_bits(module, part.word, bits); });
    default: return false;
  }
}

std::optional<std::int64_t> constant_int(const Module& module, Id value) {
  const InstRef def = module.def(value);
  if (!def || (module[def].op != spv::Op::OpConstant && module[def].op != spv::Op::OpConstantNull)) return std::nullopt;
  const InstRef type = module.def(module[def].type);
  if (!type || module[type].op != spv::Op::OpTypeInt) return std::nullopt;
  if (module[def].op == spv::Op::OpConstantNull) return 0;
  const std::uint32_t width = module.operand(type, 0).word;
  if (width == 0 || width > 64) return std::nullopt;
  const bool is_signed = module.operand(type, 1).word != 0;
  const auto words = module.operands(def);
  std::uint64_t bits = words[0].word;
  if (words.size() > 1) bits |= std::uint64_t{words[1].word} << 32;
  // The type says what the high bits of a narrow literal mean.
  const std::uint32_t unused = 64 - width;
  bits <<= unused;
  return is_signed ? static_cast<std::int64_t>(bits) >> unused : static_cast<std::int64_t>(bits >> unused);
}

std::optional<std::uint32_t> constant_index(const Module& module, Id id) {
  constexpr std::int64_t kPastEveryEnd = 0xffffffff;
  const std::optional<std::int64_t> value = constant_int(module, id);
  if (!value || *value > kPastEveryEnd) return std::nullopt;
  return static_cast<std::uint32_t>(*value < 0 ? kPastEveryEnd : *value);
}

}  // namespace varylink::spirv
