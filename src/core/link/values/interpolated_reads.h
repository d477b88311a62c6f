// Which inputs of an interface its fragment shaders read through InterpolateAt instructions.
#pragma once

#include <set>

#include "link/model/link.h"

namespace varylink::link {

struct InterpolatedReads {
  std::set<varyings::Slot> anywhere;   // by some instruction of some consumer
  std::set<varyings::Slot> at_offset;  // by an InterpolateAtOffset
};

InterpolatedReads find_interpolated_reads(const Link& link);

// Inputs that a pass must not replace by the values at their vertices (rule ), even if those are all equal:
// drivers extrapolate from the middle of the pixel to the offset. The result for a constant can differ from the
// constant by a few percent (lavapipe), more than any other way to read one.
std::set<varyings::Slot> slots_read_at_offset(const Link& link);

}  // namespace varylink::link
