#include "varyings/scalarize/scalarize_io.h"

#include <algorithm>
#include <utility>

#include "base/seeded_fault.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "varyings/scalarize/variable_code.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

class Scalarizer {
 public:
  Scalarizer(Module& module, const Entry& entry, const SidePlan& side)
      : module_(module), entry_(entry), side_(side), semantics_(module), globals_(module), emitter_(module, globals_) {}

  std::vector<Varying> run() {
    for (const VariablePlan& plan : side_.variables) {
      if (plan.fixed)
        varyings_.push_back(describe_fixed(plan));
      else
        scalarize_variable(plan);
    }
    edit_.apply(module_, entry_.function);
    remove_originals();
    module_.sweep();
    return std::move(varyings_);
  }

 private:
  static bool keeps_variable(const VariablePlan& plan) {
    return !plan.unsplit.empty() && plan.unsplit.front().path.empty();
  }

  void scalarize_variable(const VariablePlan& plan) {
    if (keeps_variable(plan)) {
      varyings_.push_back(describe_unsplit(plan, plan.unsplit.front(), plan.variable.id));
      return;
    }
    VariableCode code(module_, globals_, emitter_, entry_, plan, semantics_);
    code.declare(varyings_, [this](const VariablePlan& p, const UnsplitPart& part, Id variable) {
      return describe_unsplit(p, part, variable);
    });
    emitter_.write_to(edit_.start());
    code.emit_start(edit_.locals());
    for (const PointerAccess& access : plan.accesses.accesses) {
      emitter_.write_to(edit_.before(access.inst));
      if (const Id value = code.rewrite(access)) edit_.replace(module_[access.inst].result, value);
    }
    if (code.stores_at_exit()) emit_exits(code);
  }

  void emit_exits(VariableCode& code) {
    for (const spirv::Block& block : module_.function(entry_.function)->blocks)
      for (const InstRef inst : block.body) {
        const auto stream = exit_stream(inst);
        if (!stream) continue;
        if (seeded_fault("lift-misses-first-exit") && !std::exchange(first_exit_missed_, true)) continue;
        emitter_.write_to(edit_.before(inst));
        code.emit_exit(*stream);
      }
  }

  // Stream that an instruction hands the outputs to: the vertex that a geometry shader emits, elsewhere the return.
  std::optional<std::uint32_t> exit_stream(InstRef inst) const {
    const spv::Op op = module_[inst].op;
    if (entry_.stage != Stage::geometry) return op == spv::Op::OpReturn ? std::optional(0u) : std::nullopt;
    if (op == spv::Op::OpEmitVertex) return 0;
    if (op == spv::Op::OpEmitStreamVertex)
      return static_cast<std::uint32_t>(constant_int(module_, module_.operand(inst, 0).word).value_or(0));
    return std::nullopt;
  }

  Varying describe_fixed(const VariablePlan& plan) const {
    Varying varying = describe_unsplit(plan, {{}, *plan.fixed}, plan.variable.id);
    varying.form = Varying::Form::fixed;
    varying.slot.location = plan.variable.location;
    varying.location_count = plan.variable.location_count;
    varying.accessed = true;
    return varying;
  }

  Varying describe_unsplit(const VariablePlan& plan, const UnsplitPart& part, Id variable) const {
    Varying varying;
    varying.form = Varying::Form::unsplit;
    varying.variable = variable;
    varying.kept_because = part.reason;
    varying.accessed = false;
    for (const PointerAccess& access : plan.accesses.accesses)
      varying.accessed = varying.accessed || reaches(plan, access, part);
    const auto leaves = leaves_below(plan.variable, part.path);
    std::uint32_t end = 0;
    for (const std::size_t index : leaves) {
      const Leaf& leaf = plan.variable.leaves[index];
      if (varying.slots.empty()) describe_leaf(varying, description_of(plan.variable, part.path));
      varying.slot = std::min(varying.slot, leaf.slot);
      varying.captured = varying.captured || leaf.captured;
      varying.has_sample_part = varying.has_sample_part || leaf.interpolation.sample;
      append_slots(varying, leaf, 0, leaf.count);
      end = std::max(end, leaf.slot_of(leaf.count - 1).location + 1);
    }
    varying.component_count = static_cast<std::uint32_t>(varying.slots.size());
    varying.location_count = leaves.empty() ? plan.variable.location_count : end - varying.slot.location;
    varying.name = part.path.empty() ? plan.variable.name : varying.name;
    varying.members = interpolation_of_members(plan, part);
    return varying;
  }

  std::vector<Interpolation> interpolation_of_members(const VariablePlan& plan, const UnsplitPart& part) const {
    std::vector<std::uint32_t> path = part.path;
    Id type = type_at(module_, plan.variable.element_type, path);
    for (; module_.def_op(type) == spv::Op::OpTypeArray; type = spirv::element_type(module_, type)) path.push_back(0);
    std::vector<Interpolation> members;
    if (module_.def_op(type) != spv::Op::OpTypeStruct) return members;
    for (std::uint32_t m = 0; m < spirv::element_count(module_, type); ++m) {
      path.push_back(m);
      const auto leaves = leaves_below(plan.variable, path);
      members.push_back(leaves.empty() ? Interpolation{} : plan.variable.leaves[leaves.front()].interpolation);
      path.pop_back();
    }
    return members;
  }

  bool reaches(const VariablePlan& plan, const PointerAccess& access, const UnsplitPart& part) const {
    const std::vector<std::uint32_t> path = constant_path(module_, plan.variable, access).path;
    const std::size_t common = std::min(path.size(), part.path.size());
    return std::equal(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(common), part.path.begin());
  }

  void remove_originals() {
    UsedVariables gone;
    for (const VariablePlan& plan : side_.variables) {
      if (plan.fixed || keeps_variable(plan)) continue;
      for (const PointerAccess& access : plan.accesses.accesses) {
        const std::vector<std::uint32_t> path = constant_path(module_, plan.variable, access).path;
        if (!plan.unsplit_at(path) && !plan.local_at(path)) module_.kill(access.inst);
      }
      gone.emplace(plan.variable.id, &plan.accesses);
    }
    remove_interface_variables(module_, gone);
  }

  Module& module_;
  const Entry& entry_;
  const SidePlan& side_;
  const Semantics semantics_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  spirv::CodeEdit edit_;
  std::vector<Varying> varyings_;
  bool first_exit_missed_ = false;  // seeded fault
};

}  // namespace

void describe_leaf(Varying& varying, const Leaf& leaf) {
  varying.slot = leaf.slot;
  varying.scalar = leaf.scalar;
  varying.interpolation = leaf.interpolation;
  varying.patch = leaf.patch;
  varying.per_primitive = leaf.per_primitive;
  varying.relaxed_precision = leaf.relaxed_precision;
  varying.stream = leaf.stream;
  varying.name = leaf.name;
  varying.type = text(leaf.scalar);
}

void append_slots(Varying& varying, const Leaf& leaf, std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t c = first; c < first + count; ++c)
    for (std::uint32_t half = 0; half < leaf.slots_per_component(); ++half) {
      Slot slot = leaf.slot_of(c);
      slot.component += half;
      varying.slots.push_back(slot);
    }
}

std::vector<Varying> scalarize_io(Module& module, const Entry& entry, const SidePlan& side) {
  return Scalarizer(module, entry, side).run();
}

}  // namespace varylink::varyings
