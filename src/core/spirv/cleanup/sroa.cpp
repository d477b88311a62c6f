#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include <algorithm>
#include <optional>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/debug_records.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/memory_operands.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/replaced_ids.h"
#include "spirv/ir/uses.h"
#include "spirv/ir/value_decorations.h"

namespace varylink::spirv {
namespace {

using spv::Op;

// Accesses to a variable as a whole become one to each part (rule ).
constexpr std::size_t kMostAccesses = 65536;

struct Aggregate {
  InstRef variable;
  Id type = 0;  // of what it holds
  bool splits = true;
  std::size_t whole_accesses = 0;
  std::vector<Id> parts;  // variables, 0 as long as nobody uses the part
};

class Splitter {
 public:
  Splitter(Module& module, Function& function) : module_(module), function_(function), decorations_(module) {}

  // Splits what can be split now; false if there is nothing.
  bool run_once() {
    find_aggregates();
    if (std::none_of(aggregates_.begin(), aggregates_.end(), [](const Aggregate& each) { return each.splits; }))
      return false;
    if (!globals_) globals_.emplace(module_);
    variables_.clear();
    for (Block& block : function_.blocks) rewrite(block);
    for (Block& block : function_.blocks) declare_parts(block);
    for (const Aggregate& aggregate : aggregates_)
      if (aggregate.splits) module_.kill(aggregate.variable);
    auto& start = function_.blocks.front().body;
    start.insert(start.begin(), variables_.begin(), variables_.end());
    replaced_.apply(module_);
    module_.sweep();
    return true;
  }

 private:
  void find_aggregates() {
    aggregates_.clear();
    place_.assign(module_.bound, 0);
    for (const InstRef inst : function_.blocks.front().body) {
      if (module_[inst].op != Op::OpVariable) continue;
      const Id type = pointee_type(module_, module_[inst].type);
      const Op op = module_.def_op(type);
      const std::uint32_t count = element_count(module_, type);
      if ((op != Op::OpTypeStruct && op != Op::OpTypeArray) || count == 0 || !has_known_start(inst)) continue;
      aggregates_.push_back({inst, type, true, 0, std::vector<Id>(count, 0)});
      place_[module_[inst].result] = static_cast<std::uint32_t>(aggregates_.size());
    }
    if (aggregates_.empty()) return;
    for (const Block& block : function_.blocks)
      for (const InstRef inst : block.body)
        if (!is_debug_inst(module_, inst)) note_uses(inst);
    for (Aggregate& aggregate : aggregates_)
      if (aggregate.whole_accesses * aggregate.parts.size() > kMostAccesses) aggregate.splits = false;
  }

  void note_uses(InstRef inst) {
    const auto operands = module_.operands(inst);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const std::uint32_t place = operands[i].is_id && operands[i].word < place_.size() ? place_[operands[i].word] : 0;
      if (place == 0) continue;
      Aggregate& aggregate = aggregates_[place - 1];
      if (i != 0 || !may_split_at(inst, aggregate)) aggregate.splits = false;
      if (module_[inst].op == Op::OpLoad || module_[inst].op == Op::OpStore) ++aggregate.whole_accesses;
    }
  }

  bool has_known_start(InstRef variable) const {
    if (module_.operands(variable).size() < 2) return true;
    switch (module_.def_op(module_.operand(variable, 1).word)) {
      case Op::OpConstantComposite:
      case Op::OpSpecConstantComposite:
      case Op::OpConstantNull:
      case Op::OpUndef: return true;
      default: return false;
    }
  }

  bool may_split_at(InstRef inst, const Aggregate& aggregate) const {
    const auto operands = module_.operands(inst);
    switch (module_[inst].op) {
      case Op::OpLoad: return is_plain_load(module_, inst) && decorations_.may_stand_for(0, module_[inst].result);
      case Op::OpStore: return is_plain_store(module_, inst);
      case Op::OpAccessChain:
      case Op::OpInBoundsAccessChain: {
        const InstRef index = operands.size() < 2 ? InstRef{} : module_.def(operands[1].word);
        return index && module_[index].op == Op::OpConstant && module_.operands(index).size() == 1 &&
               module_.operand(index, 0).word < aggregate.parts.size();
      }
      default: return false;
    }
  }

  Aggregate* aggregate_of(Id pointer) {
    const std::uint32_t place = pointer < place_.size() ? place_[pointer] : 0;
    return place != 0 && aggregates_[place - 1].splits ? &aggregates_[place - 1] : nullptr;
  }

  void rewrite(Block& block) {
    std::vector<InstRef> body;
    for (const InstRef inst : block.body) {
      const Op op = module_[inst].op;
      const bool accesses = op == Op::OpLoad || op == Op::OpStore || is_access_chain(op);
      Aggregate* aggregate = accesses ? aggregate_of(module_.operand(inst, 0).word) : nullptr;
      if (!aggregate)
        body.push_back(inst);
      else if (op == Op::OpLoad)
        rewrite_load(*aggregate, inst, body);
      else if (op == Op::OpStore)
        rewrite_store(*aggregate, inst, body);
      else
        rewrite_path(*aggregate, inst, body);
    }
    block.body = std::move(body);
  }

  // The variable of the source is its parts. OpenCL.DebugInfo.100 cannot say that.
  void declare_parts(Block& block) {
    const auto names = [&](InstRef inst) {
      return debug_number(module_, inst) == NonSemanticShaderDebugInfo100DebugDeclare &&
             aggregate_of(module_.operand(inst, kDebugValue).word);
    };
    if (std::none_of(block.body.begin(), block.body.end(), names)) return;
    std::vector<InstRef> body;
    for (const InstRef inst : block.body) {
      if (!names(inst)) {
        body.push_back(inst);
        continue;
      }
      const Aggregate& aggregate = *aggregate_of(module_.operand(inst, kDebugValue).word);
      const auto operands = module_.operands(inst);
      const std::vector<Operand> whole(operands.begin(), operands.end());
      for (std::uint32_t i = 0; i < aggregate.parts.size() && has_indexed_declarations(module_, inst); ++i)
        if (aggregate.parts[i] != 0) body.push_back(declared_part(inst, whole, aggregate.parts[i], i));
      module_.kill(inst);
    }
    block.body = std::move(body);
  }

  InstRef declared_part(InstRef declaration, std::vector<Operand> operands, Id part, std::uint32_t index) {
    operands[kDebugValue] = id(part);
    operands.push_back(id(globals_->uint_constant(index)));
    return module_.create(Op::OpExtInst, module_[declaration].type, module_.new_id(), operands);
  }

  void rewrite_load(Aggregate& aggregate, InstRef load, std::vector<InstRef>& body) {
    std::vector<Operand> values;
    for (std::uint32_t i = 0; i < aggregate.parts.size(); ++i) {
      const Id part = part_of(aggregate, i);
      body.push_back(
          module_.create(Op::OpLoad, element_type(module_, aggregate.type, i), module_.new_id(), {id(part)}));
      values.push_back(id(module_[body.back()].result));
    }
    module_.rewrite(load, Op::OpCompositeConstruct, values);
    body.push_back(load);
  }

  void rewrite_store(Aggregate& aggregate, InstRef store, std::vector<InstRef>& body) {
    const Operand whole = module_.operand(store, 1);
    module_.kill(store);
    for (std::uint32_t i = 0; i < aggregate.parts.size(); ++i) {
      const Id part = part_of(aggregate, i);
      const Id value = module_.new_id();
      body.push_back(
          module_.create(Op::OpCompositeExtract, element_type(module_, aggregate.type, i), value, {whole, lit(i)}));
      body.push_back(module_.create(Op::OpStore, 0, 0, {id(part), id(value)}));
    }
  }

  void rewrite_path(Aggregate& aggregate, InstRef chain, std::vector<InstRef>& body) {
    const Id part = part_of(aggregate, module_.operand(module_.def(module_.operand(chain, 1).word), 0).word);
    const auto rest = module_.operands(chain).subspan(2);
    if (rest.empty()) {
      replaced_.replace(module_[chain].result, part, module_);
      return module_.kill(chain);
    }
    std::vector<Operand> operands = {id(part)};
    operands.insert(operands.end(), rest.begin(), rest.end());
    module_.rewrite(chain, module_[chain].op, operands);
    body.push_back(chain);
  }

  Id part_of(Aggregate& aggregate, std::uint32_t index) {
    if (aggregate.parts[index] != 0) return aggregate.parts[index];
    const Id type = element_type(module_, aggregate.type, index);
    std::vector<Operand> operands = {lit(static_cast<std::uint32_t>(spv::StorageClass::Function))};
    if (module_.operands(aggregate.variable).size() > 1) {
      const InstRef start = module_.def(module_.operand(aggregate.variable, 1).word);
      if (module_[start].op == Op::OpConstantNull)
        operands.push_back(id(globals_->null_constant(type)));
      else if (module_[start].op != Op::OpUndef)
        operands.push_back(module_.operand(start, index));
    }
    const Id pointer = globals_->pointer_type(spv::StorageClass::Function, type);
    aggregate.parts[index] = module_.new_id();
    variables_.push_back(module_.create(Op::OpVariable, pointer, aggregate.parts[index], operands));
    if (is_relaxed(module_[aggregate.variable].result, aggregate.type, index))
      decorate(module_, aggregate.parts[index], spv::Decoration::RelaxedPrecision);
    return aggregate.parts[index];
  }

  bool is_relaxed(Id variable, Id type, std::uint32_t member) const {
    constexpr auto kRelaxed = static_cast<std::uint32_t>(spv::Decoration::RelaxedPrecision);
    return std::any_of(module_.annotations.begin(), module_.annotations.end(), [&](InstRef inst) {
      if (module_[inst].op == Op::OpDecorate)
        return module_.operand(inst, 0).word == variable && module_.operand(inst, 1).word == kRelaxed;
      return module_[inst].op == Op::OpMemberDecorate && module_.operand(inst, 0).word == type &&
             module_.operand(inst, 1).word == member && module_.operand(inst, 2).word == kRelaxed;
    });
  }

  Module& module_;
  Function& function_;
  ValueDecorations decorations_;
  std::optional<Globals> globals_;  // once something is split
  std::vector<Aggregate> aggregates_;
  std::vector<std::uint32_t> place_;  // by id of a variable: 1 + place in aggregates_, 0 for everything else
  ReplacedIds replaced_;              // pointers to parts by variables
  std::vector<InstRef> variables_;
};

}  // namespace

void sroa(Module& module) {
  for (Function& function : module.functions) {
    if (function.blocks.empty()) continue;
    Splitter splitter(module, function);
    // Ends: types nest only so deep.
    while (splitter.run_once()) {
    }
  }
}

}  // namespace varylink::spirv
