// What a pass may not do to loads: make one unconditional that was guarded.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "link/model/link.h"

namespace varylink::passes {

// How far each buffer is surely there, by what the stages of an interface read of it whatever the branches decide. A
// snapshot of the interface in front of a pass.
class GuardedReads {
 public:
  explicit GuardedReads(const link::Link& link);

  // An error if some stage now reads more of a buffer for certain than any stage did (rule ). Branches that turned
  // out to be decided are removed by clean-ups, so none of these may run in between.
  std::optional<Diagnostic> check(const link::Link& link) const;

 private:
  using Buffer = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // set, binding, element of an array of them
  using Ends = std::map<Buffer, std::uint64_t>;                            // first byte behind what is read
  static void add_ends(const link::LinkedStage& stage, bool to_next_stage, Ends& ends);

  Ends before_;
};

}  // namespace varylink::passes
