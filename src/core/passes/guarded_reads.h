// Guarded loads: a pass may not make one unconditional.
#pragma once

#include <optional>

#include "link/model/link.h"
#include "link/values/certain_buffers.h"

namespace varylink::passes {

// How far each buffer is surely there, by the reads of the stages of an interface on every path. A snapshot of the
// interface in front of a pass.
class GuardedReads {
 public:
  explicit GuardedReads(const link::Link& link);

  // An error if some stage now reads more of a buffer for certain than any stage did (rule ). Branches that turned
  // out to be decided are removed by clean-ups, so none of these may run in between.
  std::optional<Diagnostic> check(const link::Link& link) const;

 private:
  link::BufferEnds before_;  // of all stages together
};

}  // namespace varylink::passes
