#include "graph/undivided_functions.h"

#include <spirv/unified1/GLSL.std.450.h>

namespace varylink::graph {
namespace {

std::optional<UndividedShape> shape_of(std::uint32_t glsl, std::uint32_t components) {
  const NumberShape one, two{2, 1}, four{4, 1};
  switch (glsl) {
    case GLSLstd450PackSnorm4x8:
    case GLSLstd450PackUnorm4x8: return UndividedShape{four, one};
    case GLSLstd450PackSnorm2x16:
    case GLSLstd450PackUnorm2x16:
    case GLSLstd450PackHalf2x16: return UndividedShape{two, one};
    case GLSLstd450UnpackSnorm4x8:
    case GLSLstd450UnpackUnorm4x8: return UndividedShape{one, four};
    case GLSLstd450UnpackSnorm2x16:
    case GLSLstd450UnpackUnorm2x16:
    case GLSLstd450UnpackHalf2x16: return UndividedShape{one, two};
    case GLSLstd450Determinant:
    case GLSLstd450MatrixInverse:
      for (const std::uint32_t size : {2u, 3u, 4u})
        if (const NumberShape matrix{size, size}; matrix.components() == components)
          return UndividedShape{matrix, glsl == GLSLstd450Determinant ? one : matrix};
      return std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<UndividedShape> undivided_shape(std::uint32_t glsl, std::size_t components) {
  const auto shape = shape_of(glsl, static_cast<std::uint32_t>(components));
  return shape && shape->operand.components() == components ? shape : std::nullopt;
}

}  // namespace varylink::graph
