// Arrays of scalars and short vectors that fill their locations (rule ).
//
//   in float a[24]; @0                       in vec4 a[6]; @0
//   ... a[i] ...                    ->       ... a[i >> 2][i & 3] ...
//
// Every element of an array takes a location of its own, whatever its width. An array that cannot be split, since an
// index is not constant, still can be an array of wider vectors with as many components.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "varyings/reflect/interface_variable.h"
#include "varyings/scalarize/varying.h"

namespace varylink::varyings {

// The form of the dense array: for Vulkan, or also for the output of translators. Portable arrays that fill one
// location are vectors, since the GL linker of Mesa dies of an array of one; and their indices are divided in their own
// type, since ESSL 1.00 has neither operations on bits nor unsigned integers.
enum class DenseForm : std::uint8_t { vulkan, portable };

struct DenseShape {
  std::uint32_t length = 0;   // elements as declared, one location each
  std::uint32_t width = 0;    // components of one
  std::uint32_t rows = 0;     // locations of the dense array
  std::uint32_t columns = 0;  // components of each
  ScalarType scalar;
  bool is_vector = false;  // one vector, no array of one

  friend auto operator<=>(const DenseShape&, const DenseShape&) = default;
};

// How an unsplit varying can be declared with fewer locations and as many components. None if it cannot: it is no array
// of scalars or vectors of 32-bit components, its code does something else than load and store, or no vector width
// divides the number of components.
std::optional<DenseShape> dense_shape(const spirv::Module& module, Stage stage, Direction direction, DenseForm form,
                                      const Varying& varying);

// Scalar operations on indices that the code gets. Compilers divide by three with a multiplication and a shift (T.
// Granlund, P. Montgomery, "Division by Invariant Integers using Multiplication", 1994).
struct IndexWork {
  std::uint32_t basic = 0, multiplications = 0;
};
IndexWork index_work(const spirv::Module& module, Stage stage, Direction direction, const Varying& varying,
                     const DenseShape& shape);

// Declares the varying densely, rewrites all code that reaches it, and says so in `varying`. It stands at `location`
// until locations are assigned, for in its own it would meet others; none if nothing else is there.
void make_dense(spirv::Module& module, const Entry& entry, Direction direction, const DenseShape& shape, DenseForm form,
                std::optional<std::uint32_t> location, Varying& varying);

}  // namespace varylink::varyings
