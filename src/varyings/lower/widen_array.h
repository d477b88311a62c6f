// More components for the elements of an array, which other varyings can travel in.
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

#include "varyings/lift/varying.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

struct ArrayShape {
  std::uint32_t length = 0;      // elements, one location each
  std::uint32_t components = 0;  // of an element
  friend auto operator<=>(const ArrayShape&, const ArrayShape&) = default;
};

// The shape of an unsplit varying that is an array of vectors or scalars of 32-bit floats, from component 0 on, of
// which all code that reaches it loads or stores elements, their components, or everything. None for anything else.
std::optional<ArrayShape> shape_to_widen(const spirv::Module& module, const Varying& varying);

// Gives the elements `components` components, at most 4. The code goes on to load and store those that it did. Returns
// the variable that takes the place of the old one, with its decorations. The varying has a shape_to_widen().
spirv::Id widen_array(spirv::Module& module, const Entry& entry, const Varying& varying, std::uint32_t components);

}  // namespace varylink::varyings
