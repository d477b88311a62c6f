#include "spirv/cleanup/value_numbers.h"

#include <algorithm>

#include "base/word_hash.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/pointer_path.h"

namespace varylink::spirv {
namespace {

using spv::Op;

constexpr std::uint32_t kSampled = 5;  // operand of OpTypeImage

}  // namespace

std::size_t ValueNumbers::KeyHash::operator()(const Key& key) const {
  WordHash hash;
  hash.add(key);
  return hash.value();
}

ValueNumbers::ValueNumbers(const Module& module)
    : module_(module), reads_(module), numbers_(module.bound, 0), looks_(module.bound, 0) {
  find_looks();
  index_.reserve(module.bound);
  for (const auto* section : {&module.types, &module.imports})
    for (const InstRef inst : *section) assign(inst);
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      for (const InstRef inst : block.body) assign(inst);
}

// Values with the same decorations look alike (rule ).
void ValueNumbers::find_looks() {
  for (const InstRef inst : module_.annotations) {
    const auto operands = module_.operands(inst);
    Key key;
    key.reserve(operands.size());
    key.push_back(static_cast<std::uint32_t>(module_[inst].op));
    for (const Operand& operand : operands.subspan(1)) key.push_back(operand.word);
    decorations_[module_.operand(inst, 0).word].push_back(std::move(key));
  }
  std::map<std::vector<Key>, std::uint32_t> known;
  for (auto& [target, keys] : decorations_) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    const auto entry = known.emplace(keys, static_cast<std::uint32_t>(known.size() + 1)).first;
    if (target < looks_.size()) looks_[target] = entry->second;
  }
}

void ValueNumbers::assign(InstRef inst) {
  const Id result = module_[inst].result;
  if (result == 0) return;
  if (is_unique(inst)) {
    numbers_[result] = ++next_;
    return;
  }
  if (const std::uint32_t copied = number_of_copied(inst); copied != 0) {
    numbers_[result] = copied;
    return;
  }
  const auto [entry, is_new] = index_.try_emplace(key_of(inst), next_ + 1);
  if (is_new) ++next_;
  numbers_[result] = entry->second;
}

ValueNumbers::Key ValueNumbers::key_of(InstRef inst) const {
  constexpr std::uint32_t kIsNumber = 1u << 31;
  const Inst& record = module_[inst];
  const auto operands = module_.operands(inst);
  Key key;
  key.reserve(operands.size() + 3);
  key.insert(key.end(), {static_cast<std::uint32_t>(record.op), record.type, looks_[record.result]});
  for (const Operand& operand : operands) {
    const std::uint32_t number = operand.is_id ? numbers_[operand.word] : 0;
    key.push_back(number != 0 ? number | kIsNumber : operand.word);
  }
  return key;
}

// What a copy, or a phi of equal values, is a copy of.
std::uint32_t ValueNumbers::number_of_copied(InstRef inst) const {
  const Inst& record = module_[inst];
  if (record.op != Op::OpCopyObject && record.op != Op::OpPhi) return 0;
  const auto operands = module_.operands(inst);
  if (operands.empty() || looks_[record.result] != looks_[operands[0].word]) return 0;
  const std::uint32_t first = numbers_[operands[0].word];
  for (std::size_t i = 2; i < operands.size(); i += 2)
    if (numbers_[operands[i].word] != first) return 0;
  return first;
}

// Different from every other value, even if it is written alike.
bool ValueNumbers::is_unique(InstRef inst) const {
  const Op op = module_[inst].op;
  switch (op) {
    case Op::OpVariable:
    // Must be used in the block where they are.
    case Op::OpSampledImage:
    case Op::OpImage: return true;
    case Op::OpLoad: return !reads_.is_constant(inst);
    default: break;
  }
  if (op >= Op::OpImageSampleImplicitLod && op <= Op::OpImageRead) return !samples_constant_image(inst);
  if ((op >= Op::OpDPdx && op <= Op::OpFwidthCoarse) || op == Op::OpImageQueryLod) return true;
  if (op >= Op::OpTypeVoid && op <= Op::OpTypeFunction) return false;
  if (op >= Op::OpConstantTrue && op <= Op::OpConstantNull) return false;
  return !is_removable(module_, inst);
}

bool ValueNumbers::samples_constant_image(InstRef inst) const {
  const InstRef load = module_.def(root_of(module_, module_.operand(inst, 0).word));
  if (!load || module_[load].op != Op::OpLoad) return false;
  const InstRef type = module_.def(module_[load].type);
  if (!type || module_[type].op != Op::OpTypeSampledImage) return false;
  return module_.operand(module_.def(module_.operand(type, 0).word), kSampled).word == 1;
}

}  // namespace varylink::spirv
