#include "passes/guarded_reads.h"

#include <algorithm>

#include "spirv/ir/memory_reads.h"

namespace varylink::passes {

using spirv::DereferenceableRanges;

namespace {

// Values are read from buffers by whole vectors, whatever part of one is needed, so that reads count by these.
std::uint64_t whole_vectors(std::uint64_t end) { return (end + 15) / 16 * 16; }

}  // namespace

GuardedReads::GuardedReads(const link::Link& link) {
  const auto add = [&](const link::LinkedStage& stage, DereferenceableRanges::Until until) {
    for (const link::BufferEnds& ends : {link::certain_ends(stage, until), stage.certain_as_it_came})
      for (const auto& [buffer, end] : ends) {
        std::uint64_t& known = before_[buffer];
        known = std::max(known, end);
      }
  };
  for (const link::LinkedStage* stage : link.producers) {
    add(*stage, DereferenceableRanges::Until::end);
    if (stage->stage == Stage::geometry) add(*stage, DereferenceableRanges::Until::emit);
  }
  for (const link::LinkedStage* stage : link.consumers) add(*stage, DereferenceableRanges::Until::end);
}

std::optional<Diagnostic> GuardedReads::check(const link::Link& link) const {
  for (const auto* stages : {&link.producers, &link.consumers})
    for (const link::LinkedStage* stage : *stages) {
      for (const auto& [buffer, end] : link::certain_ends(*stage)) {
        const auto known = before_.find(buffer);
        if (known != before_.end() && end <= whole_vectors(known->second)) continue;
        return make_error(ErrorKind::verification_failed, stage->file,
                          "byte " + std::to_string(end - 1) + " of set " + std::to_string(buffer[0]) + ", binding " +
                              std::to_string(buffer[1]) + " is read where a branch guarded it before");
      }
    }
  return std::nullopt;
}

}  // namespace varylink::passes
