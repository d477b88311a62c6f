#include "link/rules/contract_facts.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "spirv/ir/call_tree.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/pointer_uses.h"
#include "spirv/ir/uses.h"
#include "varyings/reflect/built_ins.h"
#include "varyings/reflect/capture.h"
#include "varyings/reflect/decoration_index.h"

namespace varylink::link {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spirv::Operand;

std::uint32_t word(const Module& module, Id value, std::uint32_t position) {
  const spirv::InstRef def = module.def(value);
  if (!def) return 0;
  const auto operands = module.operands(def);
  return position < operands.size() ? operands[position].word : 0;
}

Facts sorted(Facts facts) {
  std::sort(facts.begin(), facts.end());
  return facts;
}

std::string number(std::uint32_t value) { return std::to_string(value); }

// The operand of an execution mode: a constant by its value, a specialization constant by its id.
std::string constant_text(const Module& module, const varyings::DecorationIndex& decorations, Id id) {
  if (const auto spec = decorations.of(id).value(spv::Decoration::SpecId)) return "spec " + number(*spec);
  std::string text;
  for (const Operand& operand : module.operands(module.def(id))) {
    if (!text.empty()) text += ",";
    text += operand.is_id ? constant_text(module, decorations, operand.word) : number(operand.word);
  }
  return text;
}

// Calls `visit` for every instruction that the entry point can reach.
template <typename Visit>
void for_each_instruction(const StageView& stage, Visit visit) {
  for (const Id function : spirv::call_tree(*stage.module, {stage.entry.function})) {
    const spirv::Function* body = stage.module->function(function);
    if (!body) continue;
    for (const spirv::Block& block : body->blocks)
      for (const InstRef inst : block.body) visit(inst);
  }
}

void add_written(const Module& module, Id pointer, const std::vector<varyings::BuiltIn>& places,
                 std::set<std::string>& written) {
  const auto reached = varyings::pointer_root(module, pointer);
  if (!reached) return;
  for (const varyings::BuiltIn& place : places) {
    const bool same_member = !place.member || !reached->member || *place.member == *reached->member;
    if (place.variable == reached->variable && same_member)
      written.insert(number(static_cast<std::uint32_t>(place.kind)));
  }
}

constexpr const char* kPushConstantFact = "the push constant block";

// " (float with default words 1065353216)", of a scalar specialization constant.
std::string default_text(const Module& module, Id constant) {
  const InstRef def = module.def(constant);
  const auto type = def ? varyings::scalar_type_of(module, module[def].type) : std::nullopt;
  if (!type) return {};
  std::string text = " (" + varyings::text(*type) + " with default words";
  for (const Operand& operand : module.operands(def)) text += " " + number(operand.word);
  if (module[def].op == spv::Op::OpSpecConstantTrue) text += " true";
  if (module[def].op == spv::Op::OpSpecConstantFalse) text += " false";
  return text + ")";
}

std::string binding_fact(std::uint32_t set, std::uint32_t binding) {
  return "descriptor set " + number(set) + " binding " + number(binding);
}

// Calls `visit` with the fact of the binding, the length of its array and the index, wherever code chooses a
// descriptor.
template <typename Visit>
void for_each_descriptor_index(const StageView& stage, Visit visit) {
  const Module& module = *stage.module;
  const varyings::DecorationIndex& decorations = stage.decorations();
  for_each_instruction(stage, [&](InstRef inst) {
    if (!spirv::is_access_chain(module[inst].op) || module[inst].operand_count < 2) return;
    const Id variable = module.operand(inst, 0).word;
    const varyings::DecorationList list = decorations.of(variable);
    const auto binding = list.value(spv::Decoration::Binding);
    if (!binding || module.def_op(variable) != spv::Op::OpVariable) return;
    const Id type = spirv::pointee_type(module, module.type_of(variable));
    if (module.def_op(type) != spv::Op::OpTypeArray) return;
    visit(binding_fact(list.value(spv::Decoration::DescriptorSet).value_or(0), *binding),
          varyings::array_length(module, type), module.operand(inst, 1).word);
  });
}

}  // namespace

Facts entry_points(const StageView& stage) {
  Facts facts;
  for (const spirv::EntryPoint& entry : stage.module->entries())
    facts.push_back(number(static_cast<std::uint32_t>(entry.model)) + " " + entry.name);
  return sorted(facts);
}

Facts capabilities(const StageView& stage) {
  Facts facts;
  for (const InstRef inst : stage.module->capabilities) facts.push_back(number(stage.module->operand(inst, 0).word));
  return sorted(facts);
}

Facts extensions(const StageView& stage) {
  Facts facts;
  for (const InstRef inst : stage.module->extensions)
    facts.push_back(spirv::decode_string(stage.module->operands(inst), 0));
  return sorted(facts);
}

Facts execution_modes(const StageView& stage) {
  const Module& module = *stage.module;
  const varyings::DecorationIndex& decorations = stage.decorations();
  Facts facts;
  for (const InstRef inst : module.execution_modes) {
    const auto operands = module.operands(inst);
    if (operands.size() < 2 || operands[0].word != stage.entry.function) continue;
    std::string text = number(operands[1].word);
    for (std::size_t i = 2; i < operands.size(); ++i)
      text +=
          " " + (operands[i].is_id ? constant_text(module, decorations, operands[i].word) : number(operands[i].word));
    facts.push_back(std::move(text));
  }
  return sorted(facts);
}

Facts outside_interface(const StageView& stage, varyings::Direction direction) {
  const varyings::DecorationIndex& decorations = stage.decorations();
  Facts facts;
  for (const varyings::InterfaceVariable& variable : stage.variables(direction)) {
    const auto index = decorations.of(variable.id).value(spv::Decoration::Index).value_or(0);
    if (variable.unsupported) facts.push_back("location " + number(variable.location));
    for (const varyings::Leaf& leaf : variable.leaves)
      facts.push_back("location " + varyings::text(leaf.slot) + " " + type_text(leaf) +
                      (index != 0 ? " index " + number(index) : ""));
  }
  return sorted(facts);
}

std::vector<Id> used_globals(const StageView& stage) {
  const Module& module = *stage.module;
  std::vector<bool> named(module.bound, false);
  for_each_instruction(stage, [&](InstRef inst) {
    if (spirv::is_debug_inst(module, inst)) return;
    for (const Operand& operand : module.operands(inst))
      if (operand.is_id && operand.word < module.bound) named[operand.word] = true;
  });
  std::vector<Id> used;
  for (const InstRef inst : module.types)
    if (module[inst].op == spv::Op::OpVariable && named[module[inst].result]) used.push_back(module[inst].result);
  std::sort(used.begin(), used.end());
  return used;
}

Facts resources(const StageView& stage, bool used_only) {
  const Module& module = *stage.module;
  const varyings::DecorationIndex& decorations = stage.decorations();
  std::vector<Id> variables = used_only ? used_globals(stage) : std::vector<Id>();
  for (const InstRef inst : module.types)
    if (!used_only && module[inst].op == spv::Op::OpVariable) variables.push_back(module[inst].result);
  Facts facts;
  for (const Id id : variables) {
    const varyings::DecorationList list = decorations.of(id);
    const auto binding = list.value(spv::Decoration::Binding);
    const auto storage = static_cast<spv::StorageClass>(word(module, id, 0));
    if (binding)
      facts.push_back(binding_fact(list.value(spv::Decoration::DescriptorSet).value_or(0), *binding));
    else if (storage == spv::StorageClass::PushConstant)
      facts.push_back(kPushConstantFact);
  }
  return sorted(facts);
}

Facts resources_given(const PipelineLayout& layout, Stage stage) {
  Facts facts;
  for (const PipelineLayout::Binding& entry : layout.bindings)
    if (layout.reaches(stage, entry.set, entry.binding)) facts.push_back(binding_fact(entry.set, entry.binding));
  for (const PipelineLayout::PushConstantRange& range : layout.push_constants)
    if (layout.shares_push_constant(stage, stage, range.offset)) facts.push_back(kPushConstantFact);
  return sorted(facts);
}

Facts indexed_descriptor_arrays(const StageView& stage) {
  Facts facts;
  for_each_descriptor_index(stage, [&](const std::string& binding, std::optional<std::uint32_t>, Id index) {
    if (!spirv::constant_index(*stage.module, index)) facts.push_back(binding);
  });
  return sorted(facts);
}

Facts missing_descriptors(const StageView& stage) {
  std::set<std::string> facts;  // however often code stands there
  for_each_descriptor_index(stage, [&](const std::string& binding, std::optional<std::uint32_t> length, Id index) {
    const auto element = spirv::constant_index(*stage.module, index);
    if (length && element && *element >= *length) facts.insert(binding + " element " + number(*element));
  });
  return {facts.begin(), facts.end()};
}

Facts specialization_constants(const StageView& stage) {
  const Module& module = *stage.module;
  Facts facts;
  for (const InstRef inst : module.annotations) {
    const auto operands = module.operands(inst);
    if (module[inst].op == spv::Op::OpDecorate && operands.size() >= 3 &&
        operands[1].word == static_cast<std::uint32_t>(spv::Decoration::SpecId))
      facts.push_back(number(operands[2].word) + default_text(module, operands[0].word));
  }
  return sorted(facts);
}

Facts captures(const StageView& stage) {
  Facts facts;
  for (const varyings::Capture& capture : varyings::captures(*stage.module, stage.entry))
    for (std::uint32_t i = 0; i < capture.count; ++i)
      facts.push_back("buffer " + number(capture.place.buffer) + " stride " + number(capture.place.stride) +
                      " offset " + number(capture.place.offset + i * capture.scalar.width / 8) + " stream " +
                      number(capture.stream) + " " + varyings::text(capture.scalar));
  return sorted(facts);
}

namespace {

// Nothing but the fragment stage takes the primitive id of a geometry stage, and reading it does not decide how that
// runs (rule ).
bool may_go(const StageView& stage, const varyings::BuiltIn& place, varyings::Direction direction) {
  return place.kind == spv::BuiltIn::PrimitiveId &&
         stage.entry.stage == (direction == varyings::Direction::input ? Stage::fragment : Stage::geometry);
}

// Outputs that something behind the stage takes for certain.
std::vector<varyings::BuiltIn> taken_outputs(const StageView& stage) {
  std::vector<varyings::BuiltIn> places = stage.built_ins(varyings::Direction::output);
  std::erase_if(places, [&](const auto& place) { return may_go(stage, place, varyings::Direction::output); });
  return places;
}

}  // namespace

Facts built_ins(const StageView& stage, varyings::Direction direction) {
  Facts facts;
  for (const varyings::BuiltIn& place : stage.built_ins(direction))
    if (!may_go(stage, place, direction)) facts.push_back(number(static_cast<std::uint32_t>(place.kind)));
  return sorted(facts);
}

Facts written_built_ins(const StageView& stage) {
  const Module& module = *stage.module;
  const std::vector<varyings::BuiltIn> places = stage.built_ins(varyings::Direction::output);
  std::set<std::string> written;
  for_each_instruction(stage, [&](InstRef inst) {
    for (const Id pointer : spirv::pointers_written(module, inst)) add_written(module, pointer, places, written);
  });
  for (const varyings::BuiltIn& place : places)  // an initializer is a store (rule)
    if (spirv::has_initializer(module, place.variable)) written.insert(number(static_cast<std::uint32_t>(place.kind)));
  return {written.begin(), written.end()};
}

Facts certainly_written_built_ins(const StageView& stage) {
  const Module& module = *stage.module;
  const std::vector<varyings::BuiltIn> places = taken_outputs(stage);
  std::set<std::string> written;
  for (const spirv::Block* block : spirv::certain_blocks(module, stage.entry.function))
    for (const InstRef inst : block->body)
      for (std::uint32_t i = 0; i < module.operands(inst).size(); ++i)
        if (module.operand(inst, i).is_id && spirv::writes(spirv::pointer_use(module, inst, i)))
          add_written(module, module.operand(inst, i).word, places, written);
  return {written.begin(), written.end()};
}

bool can_end(const StageView& stage) {
  const Module& module = *stage.module;
  const spirv::Function& function = *module.function(stage.entry.function);
  const spirv::Cfg cfg(module, function);
  return std::ranges::any_of(cfg.reverse_post_order(), [&](std::uint32_t block) {
    return spirv::is_end(module[function.blocks[block].body.back()].op);
  });
}

Facts missing_in(const Facts& a, const Facts& b) {
  Facts difference;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(difference));
  return difference;
}

}  // namespace varylink::link
