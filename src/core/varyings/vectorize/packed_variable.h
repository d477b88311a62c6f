// One interface variable of the result: neighbouring components of one location, declared alike on both sides.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "varyings/scalarize/varying.h"

namespace varylink::varyings {

struct PackedVariable {
  Slot slot;                  // place of the first component
  std::vector<Slot> members;  // old slots of its components, in order
  ScalarType scalar;          // type of each component; members of another type are bit-cast
  Varying qualifiers;         // interpolation, patch, stream, precision, ... that all members share
  std::string name;
  std::optional<spv::BuiltIn> built_in;  // it is this instead of having a location
  // Old slot of the array that these are further components of (varyings/vectorize/widen_array.h); no variable of its
  // own then.
  std::optional<Slot> array;
};

}  // namespace varylink::varyings
