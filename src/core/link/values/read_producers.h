// The producers of a link, read into one graph. Reading takes most of the time of a pass that finds nothing, so that
// passes share it while the stages stay as they are.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "graph/value.h"
#include "link/model/link.h"
#include "link/values/certain_buffers.h"
#include "link/values/producer_values.h"

namespace varylink::link {

// Refers to the link and to the modules of its stages.
class ReadProducers {
 public:
  explicit ReadProducers(const Link& link);

  // Passes may add values. They are numbered as if no other pass had been there: forget_additions().
  graph::ValueGraph& graph() { return graph_; }
  ProducerValues& producer(std::size_t position) { return *producers_[position]; }

  // The stages are as they were when they were read, and so are the places of their functions in memory.
  bool is_current() const { return state() == state_; }
  void forget_additions();

 private:
  using State = std::vector<std::pair<std::uint64_t, const spirv::Function*>>;
  State state() const;

  const Link& link_;
  CertainBuffers certain_;
  graph::ValueGraph graph_;
  std::vector<std::unique_ptr<ProducerValues>> producers_;
  State state_;           // revision and function of the producers, then of the consumers
  std::size_t size_ = 0;  // of the graph without additions
};

}  // namespace varylink::link
