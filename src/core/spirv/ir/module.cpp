#include "spirv/ir/module.h"

#include <algorithm>
#include <cstring>

namespace varylink::spirv {

void Module::define(Id result, InstRef inst) {
  if (result == 0) return;
  if (result >= defs_.size()) defs_.resize(std::max<std::size_t>(result + 1, bound));
  defs_[result] = inst;
}

InstRef Module::create(spv::Op op, Id type, Id result, std::span<const Operand> operands) {
  const InstRef inst{static_cast<std::uint32_t>(insts_.size())};
  Inst record;
  record.op = op;
  record.type = type;
  record.result = result;
  record.first_operand = static_cast<std::uint32_t>(operands_.size());
  record.operand_count = static_cast<std::uint32_t>(operands.size());
  insts_.push_back(record);
  // The span may point into operands_ itself (copying an instruction), so reserve before reading it.
  if (!operands.empty() && operands.data() >= operands_.data() &&
      operands.data() < operands_.data() + operands_.size()) {
    const std::vector<Operand> copy(operands.begin(), operands.end());
    operands_.insert(operands_.end(), copy.begin(), copy.end());
  } else {
    operands_.insert(operands_.end(), operands.begin(), operands.end());
  }
  define(result, inst);
  return inst;
}

InstRef Module::create(spv::Op op, Id type, Id result, std::initializer_list<Operand> operands) {
  return create(op, type, result, std::span<const Operand>(operands.begin(), operands.size()));
}

void Module::rewrite(InstRef inst, spv::Op op, std::span<const Operand> operands) {
  const std::vector<Operand> copy(operands.begin(), operands.end());
  Inst& record = insts_[inst.index];
  record.op = op;
  if (copy.size() > record.operand_count) {
    record.first_operand = static_cast<std::uint32_t>(operands_.size());
    operands_.resize(operands_.size() + copy.size());
    if (growing_ == inst) growing_ = {};
  }
  record.operand_count = static_cast<std::uint32_t>(copy.size());
  std::copy(copy.begin(), copy.end(), operands_.begin() + record.first_operand);
}

void Module::rewrite(InstRef inst, spv::Op op, std::initializer_list<Operand> operands) {
  rewrite(inst, op, std::span<const Operand>(operands.begin(), operands.size()));
}

void Module::set_operand(InstRef inst, std::uint32_t position, Operand operand) {
  operands_[insts_[inst.index].first_operand + position] = operand;
}

void Module::append_operand(InstRef inst, Operand operand) {
  const std::uint32_t count = insts_[inst.index].operand_count;
  if (growing_ != inst || count >= room_) {
    const std::span<const Operand> current = operands(inst);
    const std::vector<Operand> copy(current.begin(), current.end());
    growing_ = inst;
    room_ = std::max(2 * count, 8u);
    insts_[inst.index].first_operand = static_cast<std::uint32_t>(operands_.size());
    operands_.resize(operands_.size() + room_);
    std::copy(copy.begin(), copy.end(), operands_.end() - room_);
  }
  operands_[insts_[inst.index].first_operand + count] = operand;
  ++insts_[inst.index].operand_count;
}

void Module::kill(InstRef inst) {
  Inst& record = insts_[inst.index];
  if (record.result != 0 && record.result < defs_.size() && defs_[record.result] == inst) defs_[record.result] = {};
  record.op = spv::Op::OpNop;
  record.operand_count = 0;
}

void Module::sweep() {
  const auto clean = [this](std::vector<InstRef>& list) {
    std::erase_if(list, [this](InstRef inst) { return is_dead(inst); });
  };
  for (auto* section : {&capabilities, &extensions, &imports, &memory_model, &entry_points, &execution_modes,
                        &debug_strings, &debug_names, &debug_processed, &annotations, &types})
    clean(*section);
  for (Function& function : functions) {
    clean(function.head);
    for (Block& block : function.blocks) {
      clean(block.head);
      clean(block.body);
    }
    clean(function.tail);
  }
}

std::vector<EntryPoint> Module::entries() const {
  std::vector<EntryPoint> result;
  for (const InstRef inst : entry_points) {
    const auto words = operands(inst);
    EntryPoint entry;
    entry.inst = inst;
    entry.model = static_cast<spv::ExecutionModel>(words[0].word);
    entry.function = words[1].word;
    std::uint32_t next = 2;
    entry.name = decode_string(words, 2, &next);
    for (; next < words.size(); ++next) entry.interface.push_back(words[next].word);
    result.push_back(std::move(entry));
  }
  return result;
}

Function* Module::function(Id result) {
  // Compilers number functions in their order, mostly.
  const auto guess = std::lower_bound(functions.begin(), functions.end(), result,
                                      [](const Function& candidate, Id id) { return candidate.result < id; });
  if (guess != functions.end() && guess->result == result) return &*guess;
  for (Function& candidate : functions)
    if (candidate.result == result) return &candidate;
  return nullptr;
}

const Function* Module::function(Id result) const { return const_cast<Module*>(this)->function(result); }

std::string Module::name(Id target) const {
  for (const InstRef inst : debug_names)
    if ((*this)[inst].op == spv::Op::OpName && operand(inst, 0).word == target) return decode_string(operands(inst), 1);
  return {};
}

std::string Module::member_name(Id target, std::uint32_t member) const {
  for (const InstRef inst : debug_names)
    if ((*this)[inst].op == spv::Op::OpMemberName && operand(inst, 0).word == target && operand(inst, 1).word == member)
      return decode_string(operands(inst), 2);
  return {};
}

bool Module::has_capability(spv::Capability capability) const {
  return std::any_of(capabilities.begin(), capabilities.end(),
                     [&](InstRef inst) { return operand(inst, 0).word == static_cast<std::uint32_t>(capability); });
}

std::string decode_string(std::span<const Operand> operands, std::uint32_t position, std::uint32_t* next) {
  std::string text;
  bool terminated = false;
  while (!terminated && position < operands.size()) {
    const std::uint32_t word = operands[position++].word;
    for (int byte = 0; byte < 4 && !terminated; ++byte) {
      const char character = static_cast<char>((word >> (8 * byte)) & 0xff);
      if (character == 0)
        terminated = true;
      else
        text += character;
    }
  }
  if (next) *next = position;
  return text;
}

std::vector<Operand> encode_string(std::string_view text) {
  std::vector<Operand> words(text.size() / 4 + 1);
  for (std::size_t i = 0; i < text.size(); ++i)
    words[i / 4].word |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])) << (8 * (i % 4));
  return words;
}

}  // namespace varylink::spirv
