// Where the scalars of a uniform, storage or push constant block lie.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/ir/module.h"
#include "varyings/reflect/slot.h"

namespace varylink::verify {

// One scalar of a block.
struct Field {
  std::uint32_t offset = 0;  // bytes from the start of the block
  varyings::ScalarType type;
  std::uint8_t column = 0, row = 0;    // place in the matrix it belongs to
  std::uint8_t columns = 0, rows = 0;  // shape of that matrix, 0 if it belongs to none
};

struct BlockLayout {
  std::vector<Field> fields;
  std::uint32_t size = 0;     // bytes up to the end of the last field
  bool has_pointers = false;  // physical addresses, which nobody can make up
};

// Elements that a runtime array is given.
constexpr std::uint32_t kRuntimeElements = 64;

// Layout of a block type from its Offset, ArrayStride and MatrixStride decorations. Very large arrays are described up
// to a limit; `size` is always the whole size.
BlockLayout block_layout(const spirv::Module& module, spirv::Id type);

// Length of an array type; of one sized by a specialization constant, the length for its default value; 0 if it has
// none (runtime arrays) or it cannot be told.
std::uint32_t default_array_length(const spirv::Module& module, spirv::Id array_type);

}  // namespace varylink::verify
