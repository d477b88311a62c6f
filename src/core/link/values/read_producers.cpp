#include "link/values/read_producers.h"

namespace varylink::link {

ReadProducers::ReadProducers(const Link& link) : link_(link), certain_(link.consumers), state_(state()) {
  for (const LinkedStage* producer : link.producers)
    producers_.push_back(std::make_unique<ProducerValues>(*producer, graph_, &certain_));
  size_ = graph_.size();
}

void ReadProducers::forget_additions() {
  graph_.forget_behind(size_);
  for (const auto& producer : producers_) producer->forget_behind(size_);
}

ReadProducers::State ReadProducers::state() const {
  State all;
  for (const auto* side : {&link_.producers, &link_.consumers})
    for (const LinkedStage* stage : *side)
      all.emplace_back(stage->revision, stage->module.function(stage->entry.function));
  return all;
}

}  // namespace varylink::link
