#include "varyings/scalarize/divide_captured.h"

#include <algorithm>
#include <optional>
#include <string>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/reflect/semantics.h"
#include "varyings/scalarize/split_captured.h"
#include "varyings/scalarize/variable_code.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::Module;

std::optional<InterfaceVariable> variable_of(const Module& module, const Entry& entry, const Varying& output) {
  for (InterfaceVariable& variable : interface_variables(module, entry, Direction::output))
    if (variable.id == output.variable) return std::move(variable);
  return std::nullopt;
}

std::string name_of(const std::string& vector, const ComponentRun& run) {
  return vector.empty() ? vector : vector + "_" + std::string("xyzw").substr(run.first, run.count);
}

class Division {
 public:
  Division(Module& module, Entry& entry, const InterfaceVariable& variable, const std::vector<ComponentRun>& runs)
      : module_(module), entry_(entry), leaf_(variable.leaves.front()), globals_(module), emitter_(module, globals_) {
    for (const ComponentRun& run : runs) declare(run, variable.name);
  }

  void store_like(const VariableAccesses& accesses) {
    for (const PointerAccess& access : accesses.accesses) {
      emitter_.write_to(edit_.before(access.inst));
      const Id value = module_.operand(access.inst, 1).word;
      if (access.indices.empty())
        for (const Part& part : parts_) emitter_.store(part.variable, taken(value, part.run));
      else
        store_component(*spirv::constant_index(module_, access.indices.front()), value);
      edit_.remove(access.inst);
    }
    edit_.apply(module_, entry_.function);
  }

  Id variable_of(std::size_t run) const { return parts_[run].variable; }

 private:
  struct Part {
    ComponentRun run;
    Id type = 0;
    Id variable = 0;
  };

  void declare(const ComponentRun& run, const std::string& name) {
    const Id type = globals_.vector_type(spirv::element_type(module_, leaf_.type), run.count);
    const Id variable = globals_.variable(spv::StorageClass::Output, type, name_of(name, run));
    spirv::add_to_interface(module_, entry_.inst, variable);
    entry_.interface.push_back(variable);
    const Slot slot = leaf_.slot_of(run.first);
    spirv::decorate(module_, variable, spv::Decoration::Location, slot.location);
    if (slot.component != 0) spirv::decorate(module_, variable, spv::Decoration::Component, slot.component);
    decorate_like(module_, variable, leaf_);
    capture_like(module_, variable, leaf_, run.first);
    parts_.push_back({run, type, variable});
  }

  Id taken(Id vector, const ComponentRun& run) {
    std::vector<Id> components;
    for (std::uint32_t c = run.first; c < run.end(); ++c)
      components.push_back(emitter_.extract(spirv::element_type(module_, leaf_.type), vector, c));
    const Id type = globals_.vector_type(spirv::element_type(module_, leaf_.type), run.count);
    return run.count == 1 ? components.front() : emitter_.construct(type, components);
  }

  void store_component(std::uint32_t component, Id value) {
    for (const Part& part : parts_) {
      if (!part.run.has(component)) continue;
      std::vector<Id> indices;
      if (part.run.count > 1) indices.push_back(globals_.uint_constant(component - part.run.first));
      emitter_.store(emitter_.chain(spv::StorageClass::Output, module_.type_of(value), part.variable, indices), value);
    }
  }

  Module& module_;
  Entry& entry_;
  const Leaf leaf_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  spirv::CodeEdit edit_;
  std::vector<Part> parts_;
};

Varying part_of(const Varying& vector, const ComponentRun& run, Id variable) {
  Varying part = vector;
  part.variable = variable;
  part.slots.assign(vector.slots.begin() + run.first, vector.slots.begin() + run.first + run.count);
  part.slot = part.slots.front();
  part.component_count = run.count;
  part.name = name_of(vector.name, run);
  return part;
}

}  // namespace

bool may_be_divided(const Module& module, const Entry& entry, const Varying& output) {
  if (output.form != Varying::Form::unsplit || !output.captured || may_have_semantics(module)) return false;
  const auto variable = variable_of(module, entry, output);
  if (!variable || variable->arrayed || variable->leaves.size() != 1 || variable->leaves.front().count < 2 ||
      !variable->leaves.front().path.empty())
    return false;
  const spirv::Uses uses(module);
  const VariableAccesses accesses = accesses_of(module, uses, output.variable);
  const auto is_divisible = [&](const PointerAccess& access) {
    return access.kind == PointerAccess::Kind::store && is_plain_access(module, access) &&
           (access.indices.empty() || spirv::constant_index(module, access.indices.front()).has_value());
  };
  return !accesses.obstacle && std::all_of(accesses.accesses.begin(), accesses.accesses.end(), is_divisible);
}

std::vector<Varying> divide_captured(Module& module, Entry& entry, const Varying& output,
                                     const std::vector<ComponentRun>& runs) {
  const InterfaceVariable variable = *variable_of(module, entry, output);
  Division division(module, entry, variable, runs);
  std::vector<Varying> parts;
  for (std::size_t i = 0; i < runs.size(); ++i) parts.push_back(part_of(output, runs[i], division.variable_of(i)));
  const spirv::Uses uses(module);
  const VariableAccesses accesses = accesses_of(module, uses, output.variable);
  division.store_like(accesses);
  remove_interface_variable(module, output.variable, accesses);
  std::erase(entry.interface, output.variable);
  module.sweep();
  return parts;
}

}  // namespace varylink::varyings
