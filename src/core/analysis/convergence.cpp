#include "analysis/convergence.h"

#include <algorithm>

#include "base/seeded_fault.h"
#include "spirv/ir/branch_regions.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"

namespace varylink::analysis {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spv::BuiltIn;
using spv::Op;

bool has_mode(const Module& module, const varyings::Entry& entry, spv::ExecutionMode mode) {
  return std::any_of(module.execution_modes.begin(), module.execution_modes.end(), [&](InstRef inst) {
    return module.operand(inst, 0).word == entry.function &&
           static_cast<spv::ExecutionMode>(module.operand(inst, 1).word) == mode;
  });
}

// Attributes all of whose locations advance per instance.
std::set<Id> instance_rate_variables(const Module& module, const varyings::Entry& entry,
                                     const state::PipelineState& state) {
  std::set<Id> variables;
  if (entry.stage != Stage::vertex || state.instance_rate_attributes.empty()) return variables;
  for (const varyings::InterfaceVariable& variable :
       varyings::interface_variables(module, entry, varyings::Direction::input)) {
    const auto per_instance = [&](const varyings::Leaf& leaf) {
      return state.instance_rate_attributes.count(leaf.slot.location) != 0 &&
             (leaf.scalar.width < 64 || leaf.count < 3 ||
              state.instance_rate_attributes.count(leaf.slot.location + 1) != 0);
    };
    if (!variable.unsupported && std::all_of(variable.leaves.begin(), variable.leaves.end(), per_instance))
      variables.insert(variable.id);
  }
  return variables;
}

bool stands_for_a_constant(Op op) {
  return op == Op::OpUndef || (op >= Op::OpConstantTrue && op <= Op::OpSpecConstantOp);
}

}  // namespace

Convergence::Convergence(const Module& module, const varyings::Entry& entry, const state::PipelineState& state)
    : module_(module),
      reads_(module),
      stage_(entry.stage),
      instance_rate_variables_(instance_rate_variables(module, entry, state)),
      function_(module.function(entry.function)),
      cfg_(module, *function_),
      block_of_(module.inst_count(), spirv::Cfg::kNone) {
  for (std::uint32_t block = 0; block < function_->blocks.size(); ++block)
    for (const InstRef inst : function_->blocks[block].body) block_of_[inst.index] = block;
  const bool emits = stage_ == Stage::geometry || stage_ == Stage::mesh;
  one_vertex_primitives_ = (emits && has_mode(module, entry, spv::ExecutionMode::OutputPoints)) ||
                           (stage_ == Stage::tess_eval && has_mode(module, entry, spv::ExecutionMode::PointMode)) ||
                           (stage_ == Stage::vertex && state.topology == state::Topology::points);
  const bool looks_at_lanes = stage_ != Stage::geometry && stage_ != Stage::tess_control;
  if (looks_at_lanes && !one_vertex_primitives_) find_divergent();
}

bool Convergence::is_convergent(Id value) const {
  if (stage_ == Stage::tess_control) return false;
  if (one_vertex_primitives_) return true;
  const InstRef def = module_.def(value);
  if (!def) return false;
  const std::uint32_t block = block_of_[def.index];
  if (block == spirv::Cfg::kNone) return stands_for_a_constant(module_[def].op);
  if (stage_ == Stage::geometry) return cfg_.loop_depth(block) == 0;
  return !divergent_[value];
}

// Starts from what differs by itself, and follows it to what is made of it: along operands, and from the condition of a
// branch to the phis of all blocks that vertices may come to by different ways (those of a loop that they leave in
// different rounds are among them).
void Convergence::find_divergent() {
  divergent_.assign(module_.bound, false);
  std::vector<Id> open;
  const auto mark = [&](Id id) {
    if (id == 0 || divergent_[id]) return;
    divergent_[id] = true;
    open.push_back(id);
  };
  for (const spirv::Block& block : function_->blocks)
    for (const InstRef inst : block.body)
      if (diverges_by_itself(inst)) mark(module_[inst].result);
  const spirv::Uses uses(module_);
  const spirv::BranchRegions regions(cfg_);
  while (!open.empty()) {
    const Id id = open.back();
    open.pop_back();
    for (const InstRef user : uses.of(id)) {
      const std::uint32_t block = block_of_[user.index];
      if (block == spirv::Cfg::kNone) continue;
      mark(module_[user].result);
      if (user != function_->blocks[block].body.back() || seeded_fault("convergence-ignores-branches")) continue;
      for (const std::uint32_t decided : regions.of(block))
        for (const InstRef phi : function_->blocks[decided].body)
          if (module_[phi].op == Op::OpPhi) mark(module_[phi].result);
    }
  }
}

// The result differs between vertices for any operands.
bool Convergence::diverges_by_itself(InstRef inst) const {
  const Op op = module_[inst].op;
  if (op == Op::OpPhi) return stage_ == Stage::mesh && cfg_.loop_depth(block_of_[inst.index]) > 0;
  return op == Op::OpLoad ? !is_shared_memory(inst) : !spirv::row_of(module_, inst).is(spirv::kOperandsOnly);
}

// A load at a convergent address gives the same for all vertices.
bool Convergence::is_shared_memory(InstRef load) const {
  const InstRef variable = reads_.variable_of(module_.operand(load, 0).word);
  if (!variable) return false;
  const auto storage = static_cast<spv::StorageClass>(module_.operand(variable, 0).word);
  if (storage == spv::StorageClass::Input) return is_single_per_primitive(module_[variable].result);
  if (storage == spv::StorageClass::TaskPayloadWorkgroupEXT) return true;
  // Memory that shaders may write while they run may differ for each invocation.
  const bool is_buffer = storage == spv::StorageClass::Uniform || storage == spv::StorageClass::PushConstant;
  return is_buffer && reads_.is_constant(load);
}

bool Convergence::is_single_per_primitive(Id variable) const {
  const varyings::Decorations decorations = varyings::decorations_of(module_, variable);
  const auto built_in = decorations.value(spv::Decoration::BuiltIn);
  if (!built_in && stage_ == Stage::vertex) return instance_rate_variables_.count(variable) != 0;
  if (!built_in) return stage_ == Stage::tess_eval;  // one vertex of the patch, or the patch itself
  switch (static_cast<BuiltIn>(*built_in)) {
    case BuiltIn::InstanceIndex:
    case BuiltIn::BaseInstance:
    case BuiltIn::BaseVertex:
    case BuiltIn::DrawIndex:
    case BuiltIn::ViewIndex:
    case BuiltIn::DeviceIndex:
    case BuiltIn::WorkgroupId:
    case BuiltIn::NumWorkgroups: return true;
    case BuiltIn::Position:
    case BuiltIn::PrimitiveId:
    case BuiltIn::PatchVertices:
    case BuiltIn::TessLevelInner:
    case BuiltIn::TessLevelOuter: return stage_ == Stage::tess_eval;
    default: return false;
  }
}

}  // namespace varylink::analysis
