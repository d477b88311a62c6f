// What a producer stores to its scalar outputs, as values of a graph.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/convergence.h"
#include "graph/value_reader.h"
#include "graph/value_writer.h"
#include "link/link.h"
#include "link/slot_values.h"

namespace varylink::link {

// One producer read into a graph. A snapshot of its module, which must outlive this object.
class ProducerValues {
 public:
  ProducerValues(const LinkedStage& producer, graph::ValueGraph& graph);
  ~ProducerValues();

  // Value of a scalar output that is stored at exits or emits. None for everything else: memory that invocations share
  // (tessellation control, mesh), outputs that are read back or never stored, streams that are not rasterized.
  std::optional<graph::ValueId> value(io::Slot slot) const;

  // The same at all vertices of a primitive, given the convergence of what it is made of.
  bool is_convergent(graph::ValueId value);

  // Number of exits or emits.
  std::size_t site_count() const { return sites_.size(); }
  // The last of the stores at an exit or emit: what is computed in front of it sees everything that is stored there.
  spirv::InstRef last_store(std::size_t site) const { return sites_[site]; }

  // A component of an id that has this value already in front of `inst`: (id, component). None if no such value
  // dominates it.
  std::optional<std::pair<spirv::Id, std::uint32_t>> origin(graph::ValueId value, spirv::InstRef inst) const;

 private:
  class Reader;

  const LinkedStage& producer_;
  graph::ValueGraph& graph_;
  std::unique_ptr<Reader> reader_;
  analysis::Convergence convergence_;
  spirv::Cfg cfg_;
  std::vector<spirv::Place> places_;
  std::map<io::Slot, graph::ValueId> values_;
  std::vector<spirv::InstRef> sites_;
  std::vector<std::int8_t> convergent_;  // by value: 1 yes, 0 no, -1 not asked yet
};

}  // namespace varylink::link
