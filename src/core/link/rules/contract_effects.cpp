#include "link/rules/contract_effects.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "spirv/ir/call_tree.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/memory_reads.h"
#include "spirv/ir/operations.h"
#include "spirv/ir/uses.h"
#include "spirv/tools/names.h"
#include "varyings/reflect/decoration_index.h"

namespace varylink::link {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spirv::Operand;
using spv::Op;
using spv::StorageClass;

constexpr const char* kNonUniform = " NonUniform";
constexpr const char* kParameter = " of a parameter";
constexpr std::uint32_t kVolatile = static_cast<std::uint32_t>(spv::MemoryAccessMask::Volatile);
// Aligned and the NontemporalHint say nothing about what others see.
constexpr std::uint32_t kSeenByOthers = kVolatile |
                                        static_cast<std::uint32_t>(spv::MemoryAccessMask::MakePointerAvailable) |
                                        static_cast<std::uint32_t>(spv::MemoryAccessMask::MakePointerVisible) |
                                        static_cast<std::uint32_t>(spv::MemoryAccessMask::NonPrivatePointer);

class Reader {
 public:
  Reader(const StageView& stage, bool with_resources)
      : module_(*stage.module), decorations_(stage.decorations()), reads_(module_), with_resources_(with_resources) {}

  // Empty for what only computes.
  std::string effect_of(InstRef inst) const {
    const Op op = module_[inst].op;
    const spirv::OperationRow& row = spirv::row_of(op);
    if (row.is(spirv::kActs)) return spirv::name_of(op) + scopes(inst, 0);
    if (row.is(spirv::kImageAccess)) return image_text(inst);
    if (row.is(spirv::kAtomic))
      return spirv::name_of(op) + resource_text(module_.operand(inst, 0).word) + scopes(inst, 1);
    if (op == Op::OpStore || op == Op::OpCopyMemory) return memory_text(inst, module_.operand(inst, 0).word, 2);
    if (op == Op::OpLoad) return memory_text(inst, module_.operand(inst, 0).word, 1);
    return {};
  }

 private:
  // The constants among the operands, such as scope and semantics.
  std::string scopes(InstRef inst, std::uint32_t first) const {
    std::string text;
    for (const Operand& operand : module_.operands(inst).subspan(first)) {
      if (!operand.is_id || module_.def_op(operand.word) != Op::OpConstant) continue;
      if (module_.def_op(module_.type_of(operand.word)) == Op::OpTypeInt && is_scope_operand(inst, operand))
        text += " " + std::to_string(module_.operand(module_.def(operand.word), 0).word);
    }
    return text;
  }

  // Values that an atomic writes may become constants; scopes and semantics are constants from the beginning.
  bool is_scope_operand(InstRef inst, const Operand& operand) const {
    const Op op = module_[inst].op;
    const auto at = static_cast<std::size_t>(&operand - module_.operands(inst).data());
    const spirv::OperationRow& row = spirv::row_of(op);
    if (row.is(spirv::kAtomic)) return at == 1 || at == 2 || (op == Op::OpAtomicCompareExchange && at == 3);
    if (op == Op::OpControlBarrier || op == Op::OpMemoryBarrier) return true;
    return row.is(spirv::kGroup) && at == 0;
  }

  std::string image_text(InstRef inst) const {
    const Op op = module_[inst].op;
    const auto operands = module_.operands(inst);
    std::string text = spirv::name_of(op) + resource_text(operands[0].word);
    const std::uint32_t position = spirv::row_of(op).is(spirv::kMaskThird) ? 3 : 2;
    if (op == Op::OpImageTexelPointer || position >= operands.size()) return text;
    return text + " image operands " + std::to_string(operands[position].word);
  }

  std::string memory_text(InstRef inst, Id pointer, std::uint32_t position) const {
    const auto operands = module_.operands(inst);
    std::uint32_t mask = position < operands.size() ? operands[position].word & kSeenByOthers : 0;
    if (reads_.is_declared_volatile(pointer)) mask |= kVolatile;
    const bool is_load = module_[inst].op == Op::OpLoad;
    if (is_load ? mask == 0 : !is_shared_memory(pointer)) return {};
    return spirv::name_of(module_[inst].op) + resource_text(pointer) + " memory operands " + std::to_string(mask);
  }

  bool is_shared_memory(Id pointer) const {
    const InstRef type = module_.def(module_.type_of(pointer));
    if (!type || module_[type].op != Op::OpTypePointer) return false;
    switch (static_cast<StorageClass>(module_.operand(type, 0).word)) {
      case StorageClass::Uniform:
      case StorageClass::StorageBuffer:
      case StorageClass::PhysicalStorageBuffer:
      case StorageClass::Image: return true;
      default: return false;
    }
  }

  // " of descriptor set 0 binding 3 NonUniform", of the variable that an image, pointer or sampled image comes from.
  std::string resource_text(Id value) const {
    bool non_uniform = false;
    InstRef def = module_.def(value);
    for (; def; def = module_.def(module_.operand(def, 0).word)) {
      non_uniform = non_uniform || decorations_.of(module_[def].result).has(spv::Decoration::NonUniform);
      if (!spirv::row_of(module_[def].op).is(spirv::kPassesVariable)) break;
    }
    std::string text = " of memory";
    if (def && module_[def].op == Op::OpFunctionParameter) text = kParameter;
    if (!with_resources_) text.clear();
    if (with_resources_ && def && module_[def].op == Op::OpVariable) {
      const varyings::DecorationList list = decorations_.of(module_[def].result);
      if (const auto binding = list.value(spv::Decoration::Binding))
        text = " of descriptor set " + std::to_string(list.value(spv::Decoration::DescriptorSet).value_or(0)) +
               " binding " + std::to_string(*binding);
    }
    return non_uniform ? text + kNonUniform : text;
  }

  const Module& module_;
  const varyings::DecorationIndex& decorations_;
  spirv::MemoryReads reads_;
  bool with_resources_;
};

// Visits the instructions of a function that its entry reaches, each with whether it is in a loop.
template <typename Visit>
void each_reachable(const Module& module, const spirv::Function& body, const Visit& visit) {
  const spirv::Cfg cfg(module, body);
  for (std::uint32_t block = 0; block < body.blocks.size(); ++block)
    if (cfg.reachable(block))
      for (const InstRef inst : body.blocks[block].body) visit(inst, cfg.loop_depth(block) > 0);
}

std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return a > kAnyNumber - b ? kAnyNumber : a + b; }

class Counter {
 public:
  Counter(const StageView& stage, bool with_resources) : module_(*stage.module), reader_(stage, with_resources) {}

  Effects run(Id entry) {
    visit(entry, 1);
    return std::move(effects_);
  }

 private:
  // SPIR-V forbids recursion; that of a module that has it ends here.
  void visit(Id function, std::uint64_t copies) {
    const spirv::Function* body = module_.function(function);
    if (!body || depth_ == kMostCalls) return;
    ++depth_;
    each_reachable(module_, *body, [&](InstRef inst, bool in_loop) {
      const std::uint64_t here = in_loop ? kAnyNumber : copies;
      if (module_[inst].op == Op::OpFunctionCall) visit_calls(module_.operand(inst, 0).word, here);
      const std::string effect = reader_.effect_of(inst);
      if (!effect.empty()) effects_[effect] = plus(effects_[effect], here);
    });
    --depth_;
  }

  // Calls nest so that each level may double the number; past some number it does not matter any more.
  void visit_calls(Id function, std::uint64_t copies) {
    std::uint64_t& known = visited_[function];
    if (known == kAnyNumber) return;
    known = plus(known, copies) > kManyCalls ? kAnyNumber : plus(known, copies);
    visit(function, known == kAnyNumber ? kAnyNumber : copies);
  }

  static constexpr int kMostCalls = 64;
  static constexpr std::uint64_t kManyCalls = 16;

  const Module& module_;
  Reader reader_;
  Effects effects_;
  std::map<Id, std::uint64_t> visited_;  // copies of a function that were counted
  int depth_ = 0;
};

}  // namespace

bool names_all_resources(const StageView& stage) {
  const Effects effects = effects_as_written(stage, true);
  return std::none_of(effects.begin(), effects.end(),
                      [](const auto& effect) { return effect.first.find(kParameter) != std::string::npos; });
}

Effects effects_with_copies(const StageView& stage, bool with_resources) {
  return Counter(stage, with_resources).run(stage.entry.function);
}

Effects effects_as_written(const StageView& stage, bool with_resources) {
  const Module& module = *stage.module;
  const Reader reader(stage, with_resources);
  Effects effects;
  std::set<Id> seen = {stage.entry.function};
  std::vector<Id> pending = {stage.entry.function};
  while (!pending.empty()) {
    const spirv::Function* body = module.function(pending.back());
    pending.pop_back();
    if (!body) continue;
    each_reachable(module, *body, [&](InstRef inst, bool) {
      const bool is_call = module[inst].op == Op::OpFunctionCall;
      if (is_call && seen.insert(module.operand(inst, 0).word).second) pending.push_back(module.operand(inst, 0).word);
      if (const std::string effect = reader.effect_of(inst); !effect.empty()) ++effects[effect];
    });
  }
  return effects;
}

Effects certain_effects(const StageView& stage, bool with_resources) {
  const Module& module = *stage.module;
  const Reader reader(stage, with_resources);
  Effects effects;
  for (const spirv::Block* block : spirv::certain_blocks(module, stage.entry.function))
    for (const InstRef inst : block->body)
      if (spirv::row_of(module[inst].op).is(spirv::kLeavesTrace))
        if (const std::string effect = reader.effect_of(inst); !effect.empty()) ++effects[effect];
  return effects;
}

std::optional<std::string> without_non_uniform(const std::string& effect) {
  const std::size_t at = effect.find(kNonUniform);
  if (at == std::string::npos) return std::nullopt;
  return effect.substr(0, at) + effect.substr(at + std::string(kNonUniform).size());
}

}  // namespace varylink::link
