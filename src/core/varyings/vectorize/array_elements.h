// Arrays whose elements get other components: fewer, where some of them are read at no element, or more, which other
// varyings can travel in.
//
//   in vec3 a[4]; @0                         in vec4 a[4]; @0
//   ... a[i], a[i].y ...            ->       ... a[i].xyz, a[i].y ...
//
// Components beside the elements of an array are free as well, but drivers have given wrong values there (rule ).
// Components of the elements are nothing special to anybody.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "varyings/reflect/interface_variable.h"
#include "varyings/scalarize/varying.h"

namespace varylink::varyings {

struct ArrayShape {
  std::uint32_t length = 0;      // elements, one location each
  std::uint32_t components = 0;  // of an element
  friend auto operator<=>(const ArrayShape&, const ArrayShape&) = default;
};

// The shape of an unsplit varying that is an array of vectors or scalars of 32-bit floats, of
// which all code that reaches it loads or stores elements, their components, or everything. None for anything else.
std::optional<ArrayShape> shape_to_widen(const spirv::Module& module, const Varying& varying);

// Where the components of an element are now; none if none is read.
using ComponentPlaces = std::vector<std::optional<std::uint32_t>>;

// Gives the elements of the array, which may be one of arrays, `count` components, at most 4. Indices of components
// that move are constant. Returns the variable that takes the place of the old one, with its decorations.
spirv::Id set_components(spirv::Module& module, const Entry& entry, spirv::Id variable, const ComponentPlaces& places,
                         std::uint32_t count);

}  // namespace varylink::varyings
