#include "spirv/ir/product_code.h"

#include "base/seeded_fault.h"
#include "spirv/ir/globals.h"

namespace varylink::spirv {

std::array<Operand, 2> sum_of_columns(const Module& module, Emitter& emitter, Id type, Id matrix, Id vector) {
  const Id scalar = element_type(module, type);
  const auto product = [&](std::uint32_t i) {
    const Id column = emitter.extract(type, matrix, i);
    const Id factor = emitter.extract(scalar, vector, i);
    return emitter.emit(spv::Op::OpVectorTimesScalar, type, {id(column), id(factor)});
  };
  std::uint32_t i = component_count(module, module.type_of(vector));
  if (i > 2 && seeded_fault("product-loses-a-column")) --i;
  Id sum = product(--i);
  while (--i > 0) sum = emitter.emit(spv::Op::OpFAdd, type, {id(product(i)), id(sum)});
  return {id(product(0)), id(sum)};
}

}  // namespace varylink::spirv
