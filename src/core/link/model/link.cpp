#include "link/model/link.h"

#include <algorithm>

#include "base/seeded_fault.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/interpolate_at.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/variable_code.h"

namespace varylink::link {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

// Takes the variable and the pointers to it out of the module. Its loads and stores must be gone or redirected.
void remove_variable(LinkedStage& stage, Id variable, const varyings::VariableAccesses& accesses) {
  varyings::remove_interface_variable(stage.module, variable, accesses);
  stage.module.sweep();
}

void erase(std::vector<varyings::Varying>& varyings, const std::set<varyings::Slot>& slots) {
  std::erase_if(varyings, [&](const varyings::Varying& varying) { return slots.count(varying.slot) != 0; });
}

void make_loads_constant(Module& module, const varyings::VariableAccesses& accesses,
                         const std::vector<std::uint32_t>& bits) {
  spirv::Globals globals(module);
  for (const varyings::PointerAccess& access : accesses.accesses) {
    if (access.kind == varyings::PointerAccess::Kind::store) continue;
    const Id constant = globals.scalar_constant(module[access.inst].type, bits);
    module.rewrite(access.inst, spv::Op::OpCopyObject, {spirv::id(constant)});
  }
}

// Every load of `from` becomes a load of `target`, which has another scalar type of the same width, and a cast.
void redirect_with_casts(LinkedStage& stage, const varyings::Varying& from, Id target) {
  Module& module = stage.module;
  const varyings::VariableAccesses accesses = varyings::accesses_of(module, spirv::Uses(module), from.variable);
  const Id array = spirv::pointee_type(module, module.type_of(target));
  spirv::Globals globals(module);
  spirv::Emitter emitter(module, globals);
  spirv::CodeEdit edit;
  for (const varyings::PointerAccess& access : accesses.accesses) {
    emitter.write_to(edit.before(access.inst));
    const Id scalar = access.indices.empty() ? array : spirv::element_type(module, array);
    const Id pointer = emitter.chain(spv::StorageClass::Input, scalar, target, access.indices);
    const Id loaded = emitter.load(scalar, pointer);
    const Id cast = emitter.emit(spv::Op::OpBitcast, module[access.inst].type, {spirv::id(loaded)});
    edit.replace(module[access.inst].result, cast);
    edit.remove(access.inst);
  }
  edit.apply(module, stage.entry.function);
  erase(stage.inputs, {from.slot});
  remove_variable(stage, from.variable, accesses);
}

}  // namespace

const varyings::Proxy* Link::proxy_at(varyings::Slot slot) const {
  const auto found =
      std::find_if(proxies.begin(), proxies.end(), [&](const varyings::Proxy& each) { return each.holds(slot); });
  return found == proxies.end() ? nullptr : &*found;
}

const varyings::Proxy* Link::proxy_at(varyings::Slot slot, varyings::Proxy::Stands stands) const {
  const varyings::Proxy* proxy = proxy_at(slot);
  return proxy && proxy->stands == stands ? proxy : nullptr;
}

bool Link::has_proxies(varyings::Proxy::Stands stands) const {
  return std::any_of(proxies.begin(), proxies.end(),
                     [&](const varyings::Proxy& each) { return each.stands == stands; });
}

std::vector<varyings::Varying> reads_of(const LinkedStage& consumer, const varyings::Proxy& proxy) {
  std::vector<varyings::Varying> reads;
  for (const varyings::Varying& input : consumer.inputs)
    if (proxy.holds(input.slot)) reads.push_back(input);
  return reads;
}

bool Link::has_plain_built_ins() const {
  if (seeded_fault("built-in-dies-before-the-rasterizer")) return closed && !consumers.empty();
  return closed && !ends_here && !consumers.empty() &&
         std::all_of(consumers.begin(), consumers.end(), [](const LinkedStage* consumer) {
           return consumer->stage < Stage::task;  // tessellation and geometry
         });
}

std::string Link::name_of(varyings::Slot slot) const {
  const varyings::Proxy* proxy = proxy_at(slot);
  if (!proxy) return text(declared(slot));
  const bool is_captured = proxy->stands == varyings::Proxy::Stands::for_reads_of_captured;
  return is_captured ? text(declared(proxy->captured(slot))) : proxy->component_name(slot);
}

varyings::Slot Link::declared(varyings::Slot slot) const {
  const auto found = regrouped.find(slot.location);
  return found == regrouped.end() ? slot : varyings::Slot{found->second, slot.component};
}

void Link::restore_declared_slots(bool is_written) {
  if (regrouped.empty()) return;
  for (ComponentRecord& record : report.components) {
    const varyings::Slot old_slot = declared(record.old_slot);
    if (!is_written && record.new_slot == record.old_slot) record.new_slot = old_slot;
    record.old_slot = old_slot;
  }
  std::sort(report.components.begin(), report.components.end(),
            [](const ComponentRecord& a, const ComponentRecord& b) { return a.old_slot < b.old_slot; });
  regrouped.clear();
  forget_record_places();
}

ComponentRecord* Link::record(varyings::Slot slot) {
  if (record_places_.size() != report.components.size()) {
    record_places_.clear();
    for (std::size_t i = 0; i < report.components.size(); ++i) record_places_.emplace(report.components[i].old_slot, i);
  }
  const auto found = record_places_.find(slot);
  return found == record_places_.end() ? nullptr : &report.components[found->second];
}

void Link::record_outcome(const varyings::Varying& varying, Outcome outcome, const std::string& reason,
                          std::optional<varyings::Slot> new_slot) {
  std::uint32_t rank = 0;  // among the components in one location, which are dense in the result
  for (std::size_t i = 0; i < varying.slots.size(); ++i) {
    const varyings::Slot slot = varying.slots[i];
    rank = i > 0 && varying.slots[i - 1].location == slot.location ? rank + 1 : 0;
    ComponentRecord* target = record(slot);
    if (!target) continue;
    target->outcome = outcome;
    target->reason = reason;
    target->new_slot.reset();
    if (!new_slot) continue;
    if (varying.columns != 0) {
      const auto number = static_cast<std::uint32_t>(i);
      target->new_slot =
          varyings::Slot{new_slot->location + number / varying.columns, new_slot->component + number % varying.columns};
      continue;
    }
    const std::uint32_t location = new_slot->location + slot.location - varying.slot.location;
    // A fixed variable keeps the gaps between its members.
    target->new_slot =
        varying.form == varyings::Varying::Form::fixed ? slot : varyings::Slot{location, new_slot->component + rank};
  }
}

varyings::Varying* find_varying(std::vector<varyings::Varying>& varyings, varyings::Slot slot) {
  const auto found =
      std::find_if(varyings.begin(), varyings.end(), [&](const varyings::Varying& v) { return v.slot == slot; });
  return found == varyings.end() ? nullptr : &*found;
}

const varyings::Varying* find_varying(const std::vector<varyings::Varying>& varyings, varyings::Slot slot) {
  return find_varying(const_cast<std::vector<varyings::Varying>&>(varyings), slot);
}

bool is_last_sample_input(const LinkedStage& consumer, varyings::Slot slot) {
  bool is_sample = false;
  for (const varyings::Varying& input : consumer.inputs) {
    if (!input.is_per_sample()) continue;
    if (input.slot != slot) return false;
    is_sample = true;
  }
  return is_sample;
}

bool is_last_sample_input(const Link& link, varyings::Slot slot) {
  return std::any_of(link.consumers.begin(), link.consumers.end(),
                     [&](const LinkedStage* consumer) { return is_last_sample_input(*consumer, slot); });
}

void remove_outputs(LinkedStage& stage, const std::set<varyings::Slot>& slots) {
  Module& module = stage.module;
  const spirv::Uses uses(module);
  std::vector<Id> gone;
  std::vector<std::pair<Id, varyings::VariableAccesses>> memory;
  for (const varyings::Varying& varying : stage.outputs) {
    if (slots.count(varying.slot) == 0) continue;
    varyings::VariableAccesses accesses = varyings::accesses_of(module, uses, varying.variable);
    const bool read_back = std::any_of(accesses.accesses.begin(), accesses.accesses.end(), [](const auto& access) {
      return access.kind != varyings::PointerAccess::Kind::store;
    });
    if (read_back && varying.form != varyings::Varying::Form::scalar) {
      memory.emplace_back(varying.variable, std::move(accesses));
      continue;
    }
    for (const varyings::PointerAccess& access : accesses.accesses) module.kill(access.inst);
    for (const InstRef chain : accesses.chains) gone.push_back(module[chain].result);
    gone.push_back(varying.variable);
  }
  for (const auto& [variable, accesses] : memory) varyings::make_private(module, variable, accesses);
  erase(stage.outputs, slots);
  spirv::remove_globals(module, std::move(gone));
  module.sweep();
}

void remove_output(LinkedStage& stage, varyings::Slot slot) { remove_outputs(stage, {slot}); }

void remove_inputs(LinkedStage& stage, const std::set<varyings::Slot>& slots) {
  Module& module = stage.module;
  const spirv::Uses uses(module);
  std::vector<Id> gone;
  for (const varyings::Varying& varying : stage.inputs) {
    if (slots.count(varying.slot) == 0) continue;
    for (const InstRef chain : varyings::accesses_of(module, uses, varying.variable).chains)
      gone.push_back(module[chain].result);
    gone.push_back(varying.variable);
  }
  erase(stage.inputs, slots);
  spirv::remove_globals(module, std::move(gone));
  module.sweep();
}

void remove_input(LinkedStage& stage, varyings::Slot slot) { remove_inputs(stage, {slot}); }

void replace_loads(LinkedStage& stage, const varyings::Varying& output, const std::vector<std::uint32_t>& bits) {
  Module& module = stage.module;
  make_loads_constant(module, varyings::accesses_of(module, spirv::Uses(module), output.variable), bits);
}

void replace_input(LinkedStage& stage, varyings::Slot slot, const std::vector<std::uint32_t>& bits) {
  Module& module = stage.module;
  const varyings::Varying varying = *find_varying(stage.inputs, slot);
  const varyings::VariableAccesses accesses = varyings::accesses_of(module, spirv::Uses(module), varying.variable);
  make_loads_constant(module, accesses, bits);
  erase(stage.inputs, {slot});
  remove_variable(stage, varying.variable, accesses);
}

void redirect_input(LinkedStage& stage, varyings::Slot from, varyings::Slot to) {
  Module& module = stage.module;
  const varyings::Varying varying = *find_varying(stage.inputs, from);
  const Id target = find_varying(stage.inputs, to)->variable;
  if (find_varying(stage.inputs, to)->scalar != varying.scalar) return redirect_with_casts(stage, varying, target);
  varyings::VariableAccesses accesses = varyings::accesses_of(module, spirv::Uses(module), varying.variable);
  for (const varyings::PointerAccess& access : accesses.accesses)
    if (access.indices.empty())
      module.set_operand(access.inst,
                         access.kind == varyings::PointerAccess::Kind::interpolate ? varyings::kInterpolantOperand : 0,
                         spirv::id(target));
  // Per-vertex inputs are reached through a chain with the vertex index, which fits the other array as well.
  for (const InstRef chain : accesses.chains) module.set_operand(chain, 0, spirv::id(target));
  accesses.chains.clear();
  erase(stage.inputs, {from});
  remove_variable(stage, varying.variable, accesses);
}

}  // namespace varylink::link
