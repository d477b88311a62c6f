#include "link/rules/source_place.h"

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include "spirv/ir/call_tree.h"
#include "spirv/ir/globals.h"

namespace varylink::link {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

std::string string_of(const Module& module, Id id) {
  if (module.def_op(id) != spv::Op::OpString) return {};
  return spirv::decode_string(module.operands(module.def(id)), 0);
}

Id debug_set(const Module& module) {
  for (const InstRef inst : module.imports)
    if (spirv::decode_string(module.operands(inst), 0) == "NonSemantic.Shader.DebugInfo.100")
      return module[inst].result;
  return 0;
}

// Operand `position` of a debug instruction, counted behind the set and the instruction number.
Id debug_operand(const Module& module, InstRef inst, std::uint32_t position) {
  const auto operands = module.operands(inst);
  return position + 2 < operands.size() ? operands[position + 2].word : 0;
}

bool is_debug(const Module& module, InstRef inst, Id set, std::uint32_t number) {
  return set != 0 && module[inst].op == spv::Op::OpExtInst && module[inst].operand_count >= 2 &&
         module.operand(inst, 0).word == set && module.operand(inst, 1).word == number;
}

// `source` is a DebugSource, whose first operand is the file name; `line` is a constant.
SourcePlace debug_place(const Module& module, Id source, Id line) {
  SourcePlace place;
  const auto value = spirv::constant_int(module, line);
  if (!value || *value <= 0 || *value > 0x7fffffff) return place;
  place.line = static_cast<int>(*value);
  if (module.def_op(source) == spv::Op::OpExtInst)
    place.file = string_of(module, debug_operand(module, module.def(source), 0));
  return place;
}

// Follows the line instructions through a list of instructions.
class LineTracker {
 public:
  LineTracker(const Module& module, Id set) : module_(module), set_(set) {}

  void visit(InstRef inst) {
    const auto operands = module_.operands(inst);
    if (module_[inst].op == spv::Op::OpLine && operands.size() >= 2)
      place_ = {string_of(module_, operands[0].word), static_cast<int>(operands[1].word)};
    else if (module_[inst].op == spv::Op::OpNoLine)
      place_ = {};
    else if (is_debug(module_, inst, set_, NonSemanticShaderDebugInfo100DebugLine))
      place_ = debug_place(module_, debug_operand(module_, inst, 0), debug_operand(module_, inst, 1));
  }
  void forget() { place_ = {}; }
  const SourcePlace& place() const { return place_; }

 private:
  const Module& module_;
  Id set_;
  SourcePlace place_;
};

bool uses(const Module& module, InstRef inst, Id variable) {
  for (const spirv::Operand& operand : module.operands(inst))
    if (operand.is_id && operand.word == variable) return true;
  return false;
}

SourcePlace place_of_declaration(const Module& module, Id set, Id variable) {
  // The variable is the eighth operand: name, type, source, line, column, parent, linkage name, variable.
  for (const InstRef inst : module.types)
    if (is_debug(module, inst, set, NonSemanticShaderDebugInfo100DebugGlobalVariable) &&
        debug_operand(module, inst, 7) == variable)
      return debug_place(module, debug_operand(module, inst, 2), debug_operand(module, inst, 3));
  LineTracker lines(module, set);
  for (const InstRef inst : module.types) {
    lines.visit(inst);
    if (module[inst].result == variable) return lines.place();
  }
  return {};
}

SourcePlace place_of_first_use(const StageView& stage, Id set, Id variable) {
  const Module& module = *stage.module;
  for (const Id function : spirv::call_tree(module, {stage.entry.function})) {
    const spirv::Function* body = module.function(function);
    if (!body) continue;
    LineTracker lines(module, set);
    for (const spirv::Block& block : body->blocks) {
      lines.forget();  // a line instruction holds until the end of its block
      for (const InstRef inst : block.body) {
        lines.visit(inst);
        if (module[inst].op != spv::Op::OpLine && uses(module, inst, variable) && lines.place().line > 0)
          return lines.place();
      }
    }
  }
  return {};
}

SourcePlace place_of(const PlacedVariable& placed) {
  return placed.stage && placed.variable != 0 ? source_place(*placed.stage, placed.variable) : SourcePlace();
}

}  // namespace

void add_places(Diagnostic& diagnostic, const PlacedVariable& own, const PlacedVariable& other) {
  diagnostic.place = place_of(own);
  diagnostic.other_place = place_of(other);
}

SourcePlace source_place(const StageView& stage, Id variable) {
  const Id set = debug_set(*stage.module);
  const SourcePlace declared = place_of_declaration(*stage.module, set, variable);
  return declared.line > 0 ? declared : place_of_first_use(stage, set, variable);
}

}  // namespace varylink::link
