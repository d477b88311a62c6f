#include "spirv/ir/product_shape.h"

#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"

namespace varylink::spirv {
namespace {

// Rows and columns of a matrix; a vector is one column.
struct Sides {
  std::uint32_t rows, columns;
};

Sides sides_of(const Module& module, Id value) {
  const Id type = module.type_of(value);
  if (type_kind(module, type) != TypeKind::matrix) return {component_count(module, type), 1};
  return {component_count(module, element_type(module, type)), element_count(module, type)};
}

}  // namespace

std::optional<ProductShape> product_shape(const Module& module, InstRef inst) {
  const spv::Op op = module[inst].op;
  if (!row_of(op).is(kProduct)) return std::nullopt;
  const Sides left = sides_of(module, module.operand(inst, 0).word),
              right = sides_of(module, module.operand(inst, 1).word);
  ProductShape shape = {left.rows, left.columns, right.columns};
  if (op == spv::Op::OpDot || op == spv::Op::OpVectorTimesMatrix) shape = {1, left.rows, right.columns};
  if (op == spv::Op::OpOuterProduct) shape = {left.rows, 1, right.rows};
  if (shape.rows == 0 || shape.inner == 0 || shape.columns == 0) return std::nullopt;
  return shape;
}

}  // namespace varylink::spirv
