#include "passes/guarded_reads.h"

#include <algorithm>

#include "spirv/ir/memory_reads.h"

namespace varylink::passes {

using spirv::CertainReads;

namespace {

// Values are read from buffers by whole vectors, whatever part of one is needed, so that reads count by these.
std::uint64_t whole_vectors(std::uint64_t end) { return (end + 15) / 16 * 16; }

}  // namespace

void GuardedReads::add_ends(const link::LinkedStage& stage, bool to_next_stage, Ends& ends) {
  const spirv::Function* function = stage.module.function(stage.entry.function);
  if (!function || function->blocks.empty()) return;
  const bool by_emit = to_next_stage && stage.stage == Stage::geometry;
  CertainReads reads(stage.module, *function, by_emit ? CertainReads::Until::emit : CertainReads::Until::end);
  for (const auto& [buffer, end] : reads.ends()) {
    const auto set = reads.layout().decoration(buffer.first, spv::Decoration::DescriptorSet);
    const auto binding = reads.layout().decoration(buffer.first, spv::Decoration::Binding);
    std::uint64_t& known = ends[{set.value_or(0), binding.value_or(0), buffer.second}];
    known = std::max(known, end);
  }
}

GuardedReads::GuardedReads(const link::Link& link) {
  for (const link::LinkedStage* stage : link.producers) {
    add_ends(*stage, false, before_);
    add_ends(*stage, true, before_);
  }
  for (const link::LinkedStage* stage : link.consumers) add_ends(*stage, false, before_);
}

std::optional<Diagnostic> GuardedReads::check(const link::Link& link) const {
  for (const auto* stages : {&link.producers, &link.consumers})
    for (const link::LinkedStage* stage : *stages) {
      Ends after;
      add_ends(*stage, false, after);
      for (const auto& [buffer, end] : after) {
        const auto known = before_.find(buffer);
        if (known != before_.end() && end <= whole_vectors(known->second)) continue;
        return make_error(ErrorKind::verification_failed, stage->file,
                          "byte " + std::to_string(end - 1) + " of set " + std::to_string(std::get<0>(buffer)) +
                              ", binding " + std::to_string(std::get<1>(buffer)) +
                              " is read where a branch guarded it before");
      }
    }
  return std::nullopt;
}

}  // namespace varylink::passes
