// Which components of two factors make a component of their product.
#pragma once

#include <cstdint>
#include <optional>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// All products of vectors and matrices are sums over `inner` of left(row, k) * right(k, column). The components of both
// factors and of the result are numbered column by column; a vector is one column, or one row where that fits.
struct ProductShape {
  std::uint32_t rows = 1, inner = 1, columns = 1;

  std::uint32_t left(std::uint32_t row, std::uint32_t k) const { return k * rows + row; }
  std::uint32_t right(std::uint32_t k, std::uint32_t column) const { return column * inner + k; }
};

// None if the instruction is not such a product (kProduct), or its types have no components.
std::optional<ProductShape> product_shape(const Module& module, InstRef inst);

}  // namespace varylink::spirv
