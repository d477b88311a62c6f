// What a producer stores to its scalar outputs, as values of a graph: for passes that compute with it. Passes that only
// compare what is stored use slot_values.h, which needs no graph and knows every width.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/convergence.h"
#include "graph/interpolation_class.h"
#include "graph/value_reader.h"
#include "graph/value_writer.h"
#include "link/model/link.h"
#include "link/values/certain_buffers.h"
#include "link/values/slot_values.h"

namespace varylink::link {

// A place that stores: an exit, an emit, or, where invocations share their outputs as memory, a block that stores to
// one element.
struct StoreSite {
  spirv::InstRef last_store;       // what is computed in front of it sees everything that is stored at this place
  std::vector<spirv::Id> indices;  // of the vertex or primitive, if the outputs are arrays of them
};

// One producer read into a graph. A snapshot of its module, which must outlive this object.
class ProducerValues {
 public:
  // `consumers`: what these read for certain may be part of any value, so that values are theirs to compute, and not
  // the producer's where it did not; null: nothing is known of them. It must outlive this object.
  ProducerValues(const LinkedStage& producer, graph::ValueGraph& graph, const CertainBuffers* consumers = nullptr);
  ~ProducerValues();

  // Value of a scalar output, one part per site of its set if they differ. None for outputs that are read back or never
  // stored, and for streams that are not rasterized.
  std::optional<graph::ValueId> value(varyings::Slot slot) const;

  // Value of a component of an id of the producer; columns of matrices come one after another. None if it is no number.
  std::optional<graph::ValueId> component(spirv::Id id, std::uint32_t component) const;

  // Where an output that has a value is stored. Outputs have one set if the same runs of the same code store them, at
  // the same vertex or primitive, with no emit or barrier between (rules ): whoever reads both gets what
  // was stored together. Patch outputs, per-primitive and per-vertex ones are in different sets.
  graph::SiteSetId site_set(varyings::Slot slot) const;
  const std::vector<StoreSite>& sites(graph::SiteSetId set) const { return site_sets_[set]; }

  // The same at all vertices of a primitive, given the convergence of what it is made of.
  bool is_convergent(graph::ValueId value);

  // A component of an id that has this value already in front of `inst`: (id, component). None if no such value
  // dominates it.
  std::optional<std::pair<spirv::Id, std::uint32_t>> origin(graph::ValueId value, spirv::InstRef inst) const;

 private:
  class Reader;
  struct SitePlace;
  struct SiteSetKey;
  struct Stored {
    graph::ValueId value = graph::kNoValue;
    graph::SiteSetId sites = graph::kNoSites;
  };

  void read_output(const SlotStores& stores, std::map<SiteSetKey, graph::SiteSetId>& known);
  void find_complements();
  std::optional<graph::ValueId> complement_of(graph::ValueId value);

  const LinkedStage& producer_;
  graph::ValueGraph& graph_;
  std::unique_ptr<Reader> reader_;
  analysis::Convergence convergence_;
  spirv::Cfg cfg_;
  std::vector<spirv::Place> places_;
  std::vector<std::uint32_t> segments_;  // by instruction
  std::map<varyings::Slot, Stored> values_;
  std::vector<std::vector<StoreSite>> site_sets_;  // by number; the one of kNoSites is empty
  std::vector<std::int8_t> convergent_;            // by value: 1 yes, 0 no, -1 not asked yet
};

}  // namespace varylink::link
