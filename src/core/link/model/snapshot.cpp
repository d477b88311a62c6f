#include "link/model/snapshot.h"

namespace varylink::link {

Snapshot::Snapshot(const std::vector<link::Link*>& links) {
  for (link::Link* link : links) {
    links_.emplace_back(link, *link);
    for (const auto* side : {&link->producers, &link->consumers})
      for (link::LinkedStage* stage : *side) stages_.try_emplace(stage, *stage);
  }
}

void Snapshot::restore() const {
  for (const auto& [link, before] : links_) *link = before;
  for (const auto& [stage, before] : stages_) *stage = before;
}

}  // namespace varylink::link
