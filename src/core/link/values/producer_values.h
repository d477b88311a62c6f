// Stored values of a producer's scalar outputs as nodes of a graph, for passes that compute with them. Passes that only
// compare use slot_values.h, which needs no graph and knows every width.
#pragma once

#include <algorithm>
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

// A store point: an exit, an emit, or, where invocations share their outputs as memory, a block that stores to one
// element.
struct StorePoint {
  spirv::InstRef last_store;       // code in front of it sees every value that is stored at this point
  std::vector<spirv::Id> indices;  // of the vertex or primitive, if the outputs are arrays of them
};

// One producer read into a graph. A snapshot of its module, which must outlive this object.
class ProducerValues {
 public:
  // `consumers`: buffers that consumers load unconditionally. A value that uses such a load may be rematerialized in
  // the consumer even where the producer does not load it unconditionally; nullptr: not known. Must outlive this
  // object.
  ProducerValues(const LinkedStage& producer, graph::ValueGraph& graph, const CertainBuffers* consumers = nullptr);
  ~ProducerValues();

  // Value of a scalar output, one part per store point if they differ. None for outputs that are read back or never
  // stored, and for streams that are not rasterized.
  std::optional<graph::ValueId> value(varyings::Slot slot) const;

  // The same of an output that the producer loads itself (rule ): that of each of its loads. None also where a
  // load stands between two stores of different values at one store point.
  std::optional<graph::ValueId> own_value(varyings::Slot slot) const;

  // Value of a component of an id of the producer; columns of matrices come one after another. None if it is no number.
  std::optional<graph::ValueId> component(spirv::Id id, std::uint32_t component) const;

  // The store points of an output that has a value. Outputs share a set if the same runs of the same code store them,
  // at the same vertex or primitive, with no emit or barrier between (rules ): a reader of both gets
  // values that were stored together. Patch, per-primitive and per-vertex outputs are in different sets.
  graph::StorePointSetId store_point_set(varyings::Slot slot) const;
  const std::vector<StorePoint>& store_points(graph::StorePointSetId set) const { return store_point_sets_[set]; }

  // Values from this number on are gone from the graph. None of them came from reading the producer.
  void forget_behind(std::size_t size) { convergent_.resize(std::min(convergent_.size(), size)); }

  // Whether the value is equal at all vertices of a primitive, by the convergence of its operands. To be asked before
  // the module changes.
  bool is_convergent(graph::ValueId value);

  // A component of an id that has this value already in front of `inst`: (id, component). None if no such value
  // dominates it.
  std::optional<std::pair<spirv::Id, std::uint32_t>> origin(graph::ValueId value, spirv::InstRef inst) const;

 private:
  class Reader;
  struct StorePlace;
  struct StorePointSetKey;
  struct Stored {
    graph::ValueId value = graph::kNoValue;
    graph::StorePointSetId store_points = graph::kNoStorePoints;
  };

  bool is_loaded_between(const SlotStores& stores, spirv::InstRef first, spirv::InstRef second);
  void read_output(const SlotStores& stores, std::map<StorePointSetKey, graph::StorePointSetId>& known);
  void find_complements();
  std::optional<graph::ValueId> complement_of(graph::ValueId value);

  const LinkedStage& producer_;
  graph::ValueGraph& graph_;
  std::unique_ptr<Reader> reader_;
  spirv::Cfg cfg_;
  std::vector<spirv::Place> places_;
  // Once they are asked for.
  std::optional<analysis::Convergence> convergence_;
  std::optional<spirv::Uses> uses_;
  std::vector<std::uint32_t> segments_;  // by instruction
  std::map<varyings::Slot, Stored> values_, own_values_;
  std::vector<std::vector<StorePoint>> store_point_sets_;  // by number; the one of kNoStorePoints is empty
  std::vector<std::int8_t> convergent_;                    // by value: 1 yes, 0 no, -1 not asked yet
};

}  // namespace varylink::link
