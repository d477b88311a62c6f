// Outputs of an entry point that transform feedback captures, user-defined outputs and built-ins alike.
#pragma once

#include <string>
#include <vector>

#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

// Scalars of one type, written one behind the other.
struct Capture {
  spirv::Id variable = 0;
  XfbPlace place;  // of the first scalar; a stride of 0 means that there is no XfbStride
  std::uint32_t stream = 0;
  ScalarType scalar;
  std::uint32_t count = 1;
  std::string name;

  std::uint32_t end() const { return place.offset + count * (scalar.width / 8); }
};

// In the order of the entry point's list; empty without the execution mode Xfb (rule ).
std::vector<Capture> captures(const spirv::Module& module, const Entry& entry);

}  // namespace varylink::varyings
