// Stores to an element of an output array that an index chooses, as stores to all of its elements.
//
//   a[i] = x;     ->     a[0] = i == 0 ? x : a[0];   a[1] = i == 1 ? x : a[1];   ...
//
// The array can then be scalarized, and where index and elements are uniform expressions its elements are some, too.
#pragma once

#include <functional>

#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

// Whether the other stage can make this load of a uniform block or of push constants as well.
using IsSharedLoad = std::function<bool(spirv::InstRef load)>;

// One stage of the interface.
struct StageCode {
  const spirv::Module* module = nullptr;
  const Entry* entry = nullptr;
};

// Rewrites `module` where everything that is stored to an output, and every index of a store, is made of constants and
// shared loads (rule ): then so is all that its arrays hold. Outputs stay that have arrays of more than 128
// components or more than 4 such stores, that are captured, invariant or seen by other invocations, or that the reader
// indexes as well.
void write_out_indexed_stores(spirv::Module& module, const Entry& entry, const StageCode& reader,
                              const IsSharedLoad& is_shared);

}  // namespace varylink::varyings
