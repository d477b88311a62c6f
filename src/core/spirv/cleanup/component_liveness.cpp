#include "spirv/cleanup/component_liveness.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <bit>

#include "base/seeded_fault.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/scalar_view.h"
#include "spirv/ir/uses.h"
#include "spirv/ir/value_decorations.h"

namespace varylink::spirv {
namespace {

using Mask = ComponentLiveness::Mask;

constexpr std::uint32_t kMaxRows = 4;
constexpr Mask kColumn = (Mask{1} << kMaxRows) - 1;

bool is_matrix(const Module& module, Id type) { return module.def_op(type) == spv::Op::OpTypeMatrix; }

Mask column_of(Mask matrix, std::uint32_t column) { return matrix >> (kMaxRows * column) & kColumn; }

Mask in_column(Mask rows, std::uint32_t column) { return (rows & kColumn) << (kMaxRows * column); }

// Rows that some column needs.
Mask rows_of(Mask matrix) {
  Mask rows = 0;
  for (std::uint32_t c = 0; c < kMaxRows; ++c) rows |= column_of(matrix, c);
  return rows;
}

// These rows of all columns.
Mask with_rows(Mask rows) {
  Mask matrix = 0;
  for (std::uint32_t c = 0; c < kMaxRows; ++c) matrix |= in_column(rows, c);
  return matrix;
}

Mask transposed(Mask matrix) {
  Mask result = 0;
  for (std::uint32_t c = 0; c < kMaxRows; ++c)
    for (std::uint32_t r = 0; r < kMaxRows; ++r)
      if ((column_of(matrix, c) >> r & 1) != 0) result |= in_column(Mask{1} << c, r);
  return result;
}

// Columns of which some row is needed, and these with all their rows.
Mask columns_of(Mask matrix) { return rows_of(transposed(matrix)); }
Mask with_columns(Mask columns) { return transposed(with_rows(columns)); }

// The bit of a scalar in masks of values of this type.
Mask bit_of(const Module& module, Id type, std::uint32_t scalar) {
  if (component_count(module, type) > 0) return Mask{1} << (scalar & 31);
  if (!is_matrix(module, type)) return ComponentLiveness::kAll;
  const std::uint32_t rows = component_count(module, element_type(module, type));
  return in_column(Mask{1} << scalar % rows, scalar / rows);
}

}  // namespace

Mask ComponentLiveness::whole(const Module& module, Id type) {
  const std::uint32_t count = component_count(module, type);
  if (count > 0) return (Mask{1} << count) - 1;
  if (!is_matrix(module, type)) return kAll;
  return with_rows(whole(module, element_type(module, type))) &
         with_columns((Mask{1} << element_count(module, type)) - 1);
}

ComponentLiveness::ComponentLiveness(const Module& module)
    : module_(module), live_(module.bound, 0), whole_(module.bound, 0) {
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      for (const InstRef inst : block.body)
        if (!is_removable(module, inst) && !is_debug_inst(module, inst)) need_operands(inst);
  while (!work_.empty()) {
    const Id value = work_.back();
    work_.pop_back();
    spread(value);
  }
}

void ComponentLiveness::need(Id value, Mask mask) {
  if (value >= live_.size()) return;
  Mask& all = whole_[value];
  if (all == 0) all = whole(module_, module_.type_of(value));
  const bool has_parts = all != 1 && all != kAll;
  if (mask != 0) mask = has_parts ? mask & all : all;
  if ((mask & ~live_[value]) == 0) return;
  live_[value] |= mask;
  work_.push_back(value);
}

void ComponentLiveness::need_operands(InstRef inst, Mask mask) {
  for (const Operand& operand : module_.operands(inst))
    if (operand.is_id) need(operand.word, mask);
}

void ComponentLiveness::spread(Id value) {
  const InstRef def = module_.def(value);
  if (!def) return;
  const Mask mask = live_[value];
  if (arranges_scalars(module_, def, scalars_)) return spread_arranged(def, mask);
  if (module_[def].op == spv::Op::OpVectorTimesScalar) return need_factors(def, mask, kAll);
  if (spread_product(def, mask)) return;
  if (!is_component_wise(module_, def)) return need_operands(def);
  const std::uint32_t width = component_count(module_, module_[def].type);
  for (const Operand& operand : module_.operands(def)) {
    if (!operand.is_id) continue;
    const bool same_width = component_count(module_, module_.type_of(operand.word)) == width;
    need(operand.word, same_width ? mask : kAll);
  }
}

// Of vectors and matrices those scalars are needed that are in the needed ones of the result; others as a whole.
void ComponentLiveness::spread_arranged(InstRef def, Mask mask) {
  const Inst& inst = module_[def];
  if (whole(module_, inst.type) == kAll || scalars_.empty()) return need_operands(def);
  if (inst.op == spv::Op::OpCompositeExtract && seeded_fault("liveness-forgets-extracts") &&
      component_count(module_, module_.type_of(scalars_.front().value)) > 1)
    return;
  for (std::uint32_t i = 0; i < scalars_.size(); ++i) {
    const Scalar source = scalars_[i];
    if ((mask & bit_of(module_, inst.type, i)) != 0 && source.value != 0)
      need(source.value, bit_of(module_, module_.type_of(source.value), source.index));
  }
}

// What must be computed exactly as it is written stays a product of the same factors (rule ).
bool ComponentLiveness::is_exact(InstRef def) {
  if (!exact_) exact_ = kept_as_written(module_);
  return exact_->count(module_[def].result) != 0;
}

void ComponentLiveness::need_factors(InstRef def, Mask left, Mask right) {
  need(module_.operand(def, 0).word, left);
  need(module_.operand(def, 1).word, right);
}

// Of a cross product each component is made of the two others of both factors. False if it is something else.
bool ComponentLiveness::spread_cross(InstRef def, Mask mask) {
  if (!is_glsl_inst(module_, def) || module_.operand(def, 1).word != GLSLstd450Cross || is_exact(def)) return false;
  const bool is_one = std::has_single_bit(mask);
  for (const std::uint32_t factor : {2u, 3u}) need(module_.operand(def, factor).word, is_one ? ~mask : kAll);
  return true;
}

// False if the instruction is something else.
bool ComponentLiveness::spread_product(InstRef def, Mask mask) {
  const spv::Op op = module_[def].op;
  switch (op) {
    case spv::Op::OpExtInst: return spread_cross(def, mask);
    case spv::Op::OpMatrixTimesScalar:
    case spv::Op::OpMatrixTimesVector:
    case spv::Op::OpVectorTimesMatrix:
    case spv::Op::OpMatrixTimesMatrix:
    case spv::Op::OpOuterProduct: break;
    default: return false;
  }
  if (is_exact(def)) return false;
  if (op == spv::Op::OpMatrixTimesScalar)
    need_factors(def, mask, kAll);
  else if (op == spv::Op::OpMatrixTimesVector)
    need_factors(def, with_rows(mask), kAll);
  else if (op == spv::Op::OpVectorTimesMatrix)
    need_factors(def, kAll, with_columns(mask));
  else if (op == spv::Op::OpMatrixTimesMatrix)
    need_factors(def, with_rows(rows_of(mask)), with_columns(columns_of(mask)));
  else
    need_factors(def, rows_of(mask), columns_of(mask));
  return true;
}

}  // namespace varylink::spirv
