// Places the remaining varyings into as few locations as possible, dense from location 0.
//
// Scalars may share a location only if their packing keys are equal (rule ): all interpolation qualifiers of the
// fragment input (VUID-StandaloneSpirv-Input-10604), patch, per-primitive, stream, capture (unless that costs a
// location) and width. Inside one key the components of one vector stay neighbours (rule ), and a location holds
// one variable, where that costs no location. Arrays and other unsplit varyings get locations of their own (rule
// ) unless LinkOptions::pack_beside_arrays is set, but scalars may become further components of the elements of
// an array (passes/packing/array_columns.h); fixed variables stay where they are. Values that only transform feedback,
// or only the control stage that writes them, sees come last.
//
// The old placement is kept if it is no worse, so that packing twice is packing once.
#pragma once

#include "passes/packing/pairs_of_16_bits.h"
#include "passes/pass.h"

namespace varylink::passes {

Result<Progress> assign_locations(link::Link& link, PassContext& context);

struct PackedSize {
  link::InterfaceSize written;  // of all that the producers declare: that of the interface
  link::InterfaceSize read;     // of all that the consumers declare
};

// The pairs of pack-16-bit-pairs if the options have it run and they make the interface smaller, else none.
std::vector<Pair> pairs_that_pay(const link::Link& link, const link::LinkOptions& options);

// The sizes if the interface were placed now: its arrays declared densely, components of 16 bits in pairs, and packed.
PackedSize packed_size(const link::Link& link, const link::LinkOptions& options);

}  // namespace varylink::passes
