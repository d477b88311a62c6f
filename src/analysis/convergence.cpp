#include "analysis/convergence.h"

#include <algorithm>

#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"

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
std::set<Id> instance_rate_variables(const Module& module, const varyings::Entry& entry, const PipelineState& state) {
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

// Pure, component-wise or not: the result depends on the operands alone and no other invocation is asked.
bool depends_on_operands_only(const Module& module, InstRef inst) {
  const Op op = module[inst].op;
  switch (op) {
    case Op::OpCompositeConstruct:
    case Op::OpCompositeExtract:
    case Op::OpCompositeInsert:
    case Op::OpVectorShuffle:
    case Op::OpVectorExtractDynamic:
    case Op::OpVectorInsertDynamic:
    case Op::OpTranspose:
    case Op::OpDot:
    case Op::OpMatrixTimesVector:
    case Op::OpVectorTimesMatrix:
    case Op::OpMatrixTimesMatrix:
    case Op::OpMatrixTimesScalar:
    case Op::OpVectorTimesScalar:
    case Op::OpOuterProduct:
    case Op::OpAny:
    case Op::OpAll:
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain: return true;
    case Op::OpPhi: return false;
    case Op::OpExtInst: return spirv::is_removable(module, inst) && spirv::is_glsl_inst(module, inst);
    default: {
      const bool derivative = static_cast<unsigned>(op) >= static_cast<unsigned>(Op::OpDPdx) &&
                              static_cast<unsigned>(op) <= static_cast<unsigned>(Op::OpFwidthCoarse);
      return !derivative && spirv::is_component_wise(module, inst);
    }
  }
}

}  // namespace

Convergence::Convergence(const Module& module, const varyings::Entry& entry, const PipelineState& state)
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
                           (stage_ == Stage::vertex && state.topology == Topology::points);
}

bool Convergence::is_convergent(Id value) {
  if (stage_ == Stage::tess_control) return false;
  if (one_vertex_primitives_) return true;
  // Operands first, without recursion: expressions can be as deep as modules are long.
  std::vector<Id> open = {value};
  while (!open.empty()) {
    const Id id = open.back();
    if (known_.count(id) != 0) {
      open.pop_back();
      continue;
    }
    const InstRef def = module_.def(id);
    const bool asks = stage_ != Stage::geometry && def && block_of_[def.index] != spirv::Cfg::kNone &&
                      depends_on_operands_only(module_, def);
    std::vector<Id> missing;
    if (asks)
      for (const spirv::Operand& operand : module_.operands(def))
        if (operand.is_id && known_.count(operand.word) == 0) missing.push_back(operand.word);
    if (missing.empty()) {
      known_.emplace(id, decide(id));
      open.pop_back();
    } else {
      open.insert(open.end(), missing.begin(), missing.end());
    }
  }
  return known_.at(value);
}

bool Convergence::decide(Id value) {
  const InstRef def = module_.def(value);
  if (!def) return false;
  if (block_of_[def.index] == spirv::Cfg::kNone) return module_[def].op != Op::OpVariable;  // constants and the like
  if (stage_ == Stage::geometry) return outside_of_loops(def);
  if (module_[def].op == Op::OpLoad) return is_convergent_load(def);
  if (!depends_on_operands_only(module_, def)) return false;
  const auto operands = module_.operands(def);
  return std::all_of(operands.begin(), operands.end(), [&](const spirv::Operand& operand) {
    if (!operand.is_id || module_.def_op(operand.word) == Op::OpExtInstImport) return true;
    if (module_.def_op(operand.word) == Op::OpVariable) return true;  // the base of an access chain
    const auto found = known_.find(operand.word);
    return found != known_.end() && found->second;
  });
}

bool Convergence::outside_of_loops(InstRef inst) const { return cfg_.loop_depth(block_of_[inst.index]) == 0; }

bool Convergence::is_convergent_load(InstRef load) {
  Id pointer = module_.operand(load, 0).word;
  while (module_.def_op(pointer) == Op::OpAccessChain || module_.def_op(pointer) == Op::OpInBoundsAccessChain) {
    const auto operands = module_.operands(module_.def(pointer));
    for (std::size_t i = 1; i < operands.size(); ++i)
      if (!is_convergent(operands[i].word)) return false;
    pointer = operands.front().word;
  }
  if (module_.def_op(pointer) != Op::OpVariable) return false;
  const auto storage = static_cast<spv::StorageClass>(module_.operand(module_.def(pointer), 0).word);
  if (storage == spv::StorageClass::Input) return is_single_per_primitive(pointer);
  if (storage == spv::StorageClass::TaskPayloadWorkgroupEXT) return true;
  // What shaders may write to while they run is another thing for each invocation.
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
