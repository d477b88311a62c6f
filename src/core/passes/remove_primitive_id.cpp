#include "passes/remove_primitive_id.h"

#include <algorithm>
#include <optional>

#include "varyings/reflect/built_ins.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/variable_code.h"

namespace varylink::passes {
namespace {

using link::LinkedStage;
using spirv::Id;
using varyings::PointerAccess;

bool is_from_geometry(const link::Link& link) {
  const auto is_geometry = [](const LinkedStage* stage) { return stage->stage == Stage::geometry; };
  return link.closed && link.consumer_interpolates() && !link.consumers.empty() &&
         std::all_of(link.producers.begin(), link.producers.end(), is_geometry);
}

// The variable of its own of the primitive id in one stage, 0 if it has none; none if it may not go: it is loaded, or
// something of its uses is not understood.
std::optional<Id> unread_primitive_id(const LinkedStage& stage, varyings::Direction direction) {
  const std::vector<varyings::BuiltIn> built_ins = varyings::built_ins(stage.module, stage.entry, direction);
  const auto found = std::find_if(built_ins.begin(), built_ins.end(),
                                  [](const varyings::BuiltIn& each) { return each.kind == spv::BuiltIn::PrimitiveId; });
  if (found == built_ins.end()) return Id{0};
  const bool is_captured = varyings::decorations_of(stage.module, found->variable).has(spv::Decoration::Offset);
  if (found->member || is_captured) return std::nullopt;
  const varyings::VariableAccesses accesses =
      varyings::accesses_of(stage.module, spirv::Uses(stage.module), found->variable);
  const bool is_stored_only =
      std::all_of(accesses.accesses.begin(), accesses.accesses.end(),
                  [](const PointerAccess& access) { return access.kind == PointerAccess::Kind::store; });
  return !accesses.obstacle && is_stored_only ? std::optional(found->variable) : std::nullopt;
}

void remove(LinkedStage& stage, Id variable) {
  spirv::Module& module = stage.module;
  const varyings::VariableAccesses accesses = varyings::accesses_of(module, spirv::Uses(module), variable);
  for (const PointerAccess& access : accesses.accesses) module.kill(access.inst);
  varyings::remove_interface_variable(module, variable, accesses);
  std::erase(stage.entry.interface, variable);
  module.sweep();
}

}  // namespace

Result<Progress> remove_primitive_id(link::Link& link, PassContext& context) {
  if (!is_from_geometry(link)) return Progress::none;
  std::vector<std::pair<LinkedStage*, Id>> declared;
  bool is_written = false;
  for (LinkedStage* consumer : link.consumers) {
    const auto variable = unread_primitive_id(*consumer, varyings::Direction::input);
    if (!variable) return Progress::none;
    if (*variable != 0) declared.emplace_back(consumer, *variable);
  }
  const std::size_t readers = declared.size();
  for (LinkedStage* producer : link.producers) {
    const auto variable = unread_primitive_id(*producer, varyings::Direction::output);
    if (!variable) return Progress::none;
    if (*variable != 0) declared.emplace_back(producer, *variable);
    is_written = is_written || *variable != 0;
  }
  if (!is_written || !context.spend_fuel()) return Progress::none;
  for (const auto& [stage, variable] : declared) remove(*stage, variable);
  link.remarks.push_back({"remove-primitive-id", std::string(short_name(link.report.producer)),
                          "gl_PrimitiveID is not written any more: the frag stage does not read it"});
  link.unrecorded_change = true;
  return readers == 0 ? Progress::producer : Progress::both;
}

}  // namespace varylink::passes
