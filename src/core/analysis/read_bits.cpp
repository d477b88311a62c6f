#include "analysis/read_bits.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <optional>
#include <set>

#include "analysis/backward_reach.h"
#include "analysis/output_store.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/uses.h"

namespace varylink::analysis {
namespace {

using spirv::InstRef;
using spirv::Module;
using spv::Op;

// The scalar type that a scalar or vector type is made of; OpNop for other types.
Op scalar_kind(const Module& module, spirv::Id type) {
  if (module.def_op(type) == Op::OpTypeVector) type = spirv::element_type(module, type);
  const Op kind = module.def_op(type);
  return kind == Op::OpTypeFloat || kind == Op::OpTypeInt ? kind : Op::OpNop;
}

bool is_cast(const Module& module, InstRef inst, Op from, Op to) {
  return module[inst].op == Op::OpBitcast && scalar_kind(module, module[inst].type) == to &&
         scalar_kind(module, module.type_of(module.operand(inst, 0).word)) == from;
}

// Component by component, so that no component holds a part of a number.
bool keeps_width(const Module& module, InstRef cast) {
  return spirv::component_count(module, module[cast].type) ==
         spirv::component_count(module, module.type_of(module.operand(cast, 0).word));
}

bool passes_bits_on(Op op) { return spirv::is_rearrangement(op) || op == Op::OpSelect || op == Op::OpPhi; }

// `visited`: so that phis of loops end.
bool is_looked_at(const Module& module, const spirv::Uses& uses, spirv::Id bits, std::set<spirv::Id>& visited) {
  if (!visited.insert(bits).second) return false;
  const auto users = uses.of(bits);
  return std::any_of(users.begin(), users.end(), [&](InstRef user) {
    if (is_cast(module, user, Op::OpTypeInt, Op::OpTypeFloat)) return !keeps_width(module, user);
    return !passes_bits_on(module[user].op) || is_looked_at(module, uses, module[user].result, visited);
  });
}

bool is_cast_to_integers(const Module& module, InstRef inst) {
  return is_cast(module, inst, Op::OpTypeFloat, Op::OpTypeInt) ||
         (spirv::is_glsl_inst(module, inst) && module.operand(inst, 1).word == GLSLstd450UnpackDouble2x32);
}

// Results of the casts of floats whose bits are read, in all functions.
std::set<spirv::Id> read_casts(const Module& module) {
  std::set<spirv::Id> read;
  std::optional<spirv::Uses> uses;
  for (const spirv::Function& function : module.functions)
    for (const spirv::Block& block : function.blocks)
      for (const InstRef inst : block.body) {
        if (!is_cast_to_integers(module, inst)) continue;
        if (!uses) uses.emplace(module);
        std::set<spirv::Id> visited;
        const bool splits = module[inst].op != Op::OpBitcast || !keeps_width(module, inst);
        if (splits || is_looked_at(module, *uses, module[inst].result, visited)) read.insert(module[inst].result);
      }
  return read;
}

bool hands_on(const Module& module, InstRef inst) {
  const Op op = module[inst].op;
  return op == Op::OpFunctionCall || op == Op::OpReturnValue || writes_beside_outputs(module, inst);
}

}  // namespace

std::vector<bool> reaches_read_bits(const Module& module, const spirv::Function& function) {
  const std::set<spirv::Id> read = read_casts(module);
  if (read.empty()) return std::vector<bool>(module.bound, false);
  return reaching(module, function,
                  [&](InstRef inst) { return read.count(module[inst].result) != 0 || hands_on(module, inst); });
}

}  // namespace varylink::analysis
