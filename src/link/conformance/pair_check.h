// The link verifier: what must hold between two modules before linking starts, and what must hold for every module and
// pair that is about to be written. Independent of the passes: it looks at nothing but modules.
#pragma once

#include <set>

#include "base/diagnostic.h"
#include "link/conformance/interface_model.h"

namespace varylink::link {

// The modules that a pair was made from.
struct PairOriginals {
  StageView producer;
  StageView consumer;
};

// Our own output, strictly: each input has exactly one output of the same location, component, type and decorations,
// nothing overlaps, interpolation is uniform in every location, built-in blocks agree, and nothing is read that is
// never written. What was already so in `originals` at the same slot is accepted, since slots that are not understood
// are left alone. Errors are of kind verification_failed; empty if all is well.
Diagnostics check_pair(const StageView& producer, const StageView& consumer, const PairOriginals* originals = nullptr);

// The task payload is memory that both stages see, so both declare it with the same type (rule ). Error of kind
// verification_failed if the mesh stage declares one that the task stage does not declare alike.
Diagnostics check_payload(const StageView& task, const StageView& mesh);

struct InputCheck {
  Diagnostics diagnostics;
  std::set<io::Slot> unwritten;  // the warnings say that these are read and never written
};

// What linking needs to know before it starts. Errors (kind interface_mismatch): an input that is read without a
// declared output, components of different kind or width, Patch on one side only, overlapping variables. Warnings:
// what is legal only by luck and is left as it is.
InputCheck check_input_pair(const StageView& producer, const StageView& consumer);

}  // namespace varylink::link
