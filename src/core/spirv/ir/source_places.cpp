#include "spirv/ir/source_places.h"

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include <algorithm>

#include "spirv/ir/cfg.h"
#include "spirv/ir/literal_text.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {
namespace {

using spv::Op;

// The same in both sets.
constexpr std::uint32_t kScope = NonSemanticShaderDebugInfo100DebugScope;
constexpr std::uint32_t kNoScope = NonSemanticShaderDebugInfo100DebugNoScope;
constexpr std::uint32_t kInlinedAt = NonSemanticShaderDebugInfo100DebugInlinedAt;

// Operands of an extended instruction stand behind the set and the number.
constexpr std::uint32_t kFirst = 2;

}  // namespace

SourcePlaces::SourcePlaces(Module& module) {
  for (const InstRef import : module.imports) {
    const bool has_ids = is_text(module.operands(import), "NonSemantic.Shader.DebugInfo.100");
    if (!has_ids && !is_text(module.operands(import), "OpenCL.DebugInfo.100")) continue;
    set_ = module[import].result;
    has_ids_ = has_ids;
  }
  for (Function& function : module.functions)
    for (Block& block : function.blocks) take_from(module, block);
}

SourcePlaces::Kind SourcePlaces::kind_of(const Module& module, InstRef inst) const {
  const Op op = module[inst].op;
  if (op == Op::OpLine) return Kind::line;
  if (op == Op::OpNoLine) return Kind::no_line;
  if (op != Op::OpExtInst || set_ == 0 || module.operand(inst, 0).word != set_) return Kind::none;
  switch (module.operand(inst, 1).word) {
    case kScope: return Kind::scope;
    case kNoScope: return Kind::no_scope;
    case NonSemanticShaderDebugInfo100DebugLine: return Kind::line;
    case NonSemanticShaderDebugInfo100DebugNoLine: return Kind::no_line;
    default: return Kind::none;
  }
}

SourcePlaces::Number SourcePlaces::number_of(Mark mark) {
  std::vector<std::uint32_t> words = {static_cast<std::uint32_t>(mark.op)};
  for (const Operand& operand : mark.operands) words.push_back(operand.word);
  const auto [entry, is_new] = numbers_.try_emplace(std::move(words), static_cast<Number>(marks_.size() + 1));
  if (is_new) marks_.push_back(std::move(mark));
  return entry->second;
}

void SourcePlaces::set_place(InstRef inst, Place place) {
  if (inst.index >= places_.size()) places_.resize(inst.index + 1);
  places_[inst.index] = place;
}

void SourcePlaces::take_from(Module& module, Block& block) {
  const auto is_mark = [&](InstRef inst) { return kind_of(module, inst) != Kind::none; };
  if (!any_ && std::none_of(block.body.begin(), block.body.end(), is_mark)) return;
  any_ = true;
  Place current{0, 0};
  std::vector<InstRef> body;
  for (const InstRef inst : block.body) {
    const Kind kind = kind_of(module, inst);
    if (kind == Kind::none) {
      set_place(inst, current);
      body.push_back(inst);
      continue;
    }
    const auto operands = module.operands(inst);
    const Number number = kind == Kind::line || kind == Kind::scope
                              ? number_of({module[inst].op, module[inst].type, {operands.begin(), operands.end()}})
                              : 0;
    (kind == Kind::line || kind == Kind::no_line ? current.line : current.scope) = number;
    if (module[inst].result != 0) {
      spare_.push_back(module[inst].result);
      void_ = module[inst].type;
    }
    module.kill(inst);
  }
  block.body = std::move(body);
}

void SourcePlaces::copy(InstRef original, InstRef copy) {
  if (any_) set_place(copy, place_of(original));
}

InstRef SourcePlaces::create(Module& module, const Mark& mark) {
  if (mark.type == 0) return module.create(mark.op, 0, 0, mark.operands);
  const Id result = next_spare_ < spare_.size() ? spare_[next_spare_++] : module.new_id();
  return module.create(mark.op, mark.type, result, mark.operands);
}

void SourcePlaces::move_to(Module& module, std::vector<InstRef>& body, Number& current, Number wanted, bool is_scope) {
  if (wanted == kUnknown || wanted == current) return;
  Mark mark;
  if (wanted != 0) {
    mark = marks_[wanted - 1];
  } else if (is_scope) {
    mark = {Op::OpExtInst, void_, {id(set_), lit(kNoScope)}};
  } else if (marks_[current - 1].op == Op::OpLine) {
    mark = {Op::OpNoLine, 0, {}};
  } else {
    mark = {Op::OpExtInst, void_, {id(set_), lit(NonSemanticShaderDebugInfo100DebugNoLine)}};
  }
  body.push_back(create(module, mark));
  current = wanted;
}

// Behind a merge instruction stands the branch, and in front of phis and variables of a block nothing but lines of the
// core language may stand.
void SourcePlaces::write_into(Module& module, Block& block) {
  std::vector<InstRef> body;
  Place current{0, 0};
  const InstRef merge = merge_instruction(module, block);
  for (const InstRef inst : block.body) {
    const Place place = place_of(inst);
    const bool in_front = module[inst].op == Op::OpPhi || module[inst].op == Op::OpVariable;
    const bool is_line = place.line == 0 || place.line == kUnknown || marks_[place.line - 1].op == Op::OpLine;
    if (!in_front && !(merge && inst == block.body.back())) move_to(module, body, current.scope, place.scope, true);
    if ((!in_front || (is_line && (current.line == 0 || marks_[current.line - 1].op == Op::OpLine))) &&
        !(merge && inst == block.body.back()))
      move_to(module, body, current.line, place.line, false);
    body.push_back(inst);
  }
  block.body = std::move(body);
}

std::vector<Id> SourcePlaces::held() const {
  std::vector<Id> held;
  for (const Mark& mark : marks_)
    for (const Operand& operand : mark.operands)
      if (operand.is_id) held.push_back(operand.word);
  std::sort(held.begin(), held.end());
  held.erase(std::unique(held.begin(), held.end()), held.end());
  return held;
}

void SourcePlaces::put_back(Module& module) {
  if (!any_) return;
  for (Function& function : module.functions)
    for (Block& block : function.blocks) write_into(module, block);
  if (has_ids_) remove_unused_numbers(module);
}

void SourcePlaces::remove_unused_numbers(Module& module) const {
  std::vector<Id> numbers = held();
  std::erase_if(numbers, [&](Id id) { return module.def_op(id) != Op::OpConstant; });
  const Uses uses(module);
  for (const Id number : numbers)
    if (uses.of(number).empty() && uses.debug_uses_of(number).empty()) module.kill(module.def(number));
}

void SourcePlaces::inline_at(Module& module, InstRef original, InstRef code, InstRef call) {
  if (!any_) return;
  Place place = place_of(original);
  if (place.scope != 0 && place.scope != kUnknown) place.scope = inlined_scope(module, place.scope, call);
  set_place(code, place);
}

SourcePlaces::Number SourcePlaces::inlined_scope(Module& module, Number scope, InstRef call) {
  Mark mark = marks_[scope - 1];
  const Id inner = mark.operands.size() > kFirst + 1 ? mark.operands[kFirst + 1].word : 0;
  const Id site = inlined_at(module, inner, call);
  mark.operands.resize(kFirst + 1);
  if (site != 0) mark.operands.push_back(id(site));
  return number_of(std::move(mark));
}

// The line of the call; `otherwise` if it has none.
Id SourcePlaces::line_of(Module& module, InstRef call, Id otherwise) {
  const Number line = place_of(call).line;
  if (line == 0 || line == kUnknown) return otherwise;
  const Mark& mark = marks_[line - 1];
  if (mark.op != Op::OpLine) return mark.operands[kFirst + 1].word;
  return Globals(module).uint_constant(mark.operands[1].word);
}

Id SourcePlaces::call_site(Module& module, Id line, Id scope, Id outer) {
  std::vector<Operand> operands = {id(set_), lit(kInlinedAt), has_ids_ ? id(line) : lit(line), id(scope)};
  if (outer != 0) operands.push_back(id(outer));
  const Id site = module.new_id();
  module.types.push_back(module.create(Op::OpExtInst, void_, site, operands));
  return site;
}

// A chain of call sites from the inside out: `inner`, and behind its end the call. 0 if nothing is known of the call.
Id SourcePlaces::inlined_at(Module& module, Id inner, InstRef call) {
  const Place place = place_of(call);
  if (place.scope == 0 || place.scope == kUnknown) return inner;
  if (const auto found = sites_.find({inner, call}); found != sites_.end()) return found->second;
  const auto& around = marks_[place.scope - 1].operands;
  Id site = 0;
  if (inner == 0) {
    const Id outer = around.size() > kFirst + 1 ? around[kFirst + 1].word : 0;
    Id line = 0;
    if (has_ids_)
      line = line_of(module, call, Globals(module).uint_constant(0));
    else if (place.line != 0 && place.line != kUnknown && marks_[place.line - 1].op == Op::OpLine)
      line = marks_[place.line - 1].operands[1].word;
    site = call_site(module, line, around[kFirst].word, outer);
  } else {
    const auto operands = module.operands(module.def(inner));
    const Id line = operands[kFirst].word, scope = operands[kFirst + 1].word;
    const Id next = operands.size() > kFirst + 2 ? operands[kFirst + 2].word : 0;
    site = call_site(module, line, scope, inlined_at(module, next, call));
  }
  sites_[{inner, call}] = site;
  return site;
}

}  // namespace varylink::spirv
