#include "link/producer_values.h"

#include <algorithm>

namespace varylink::link {

using graph::Value;
using graph::ValueId;
using graph::ValueKind;
using spirv::Id;
using spirv::InstRef;

class ProducerValues::Reader final : public graph::ValueReader {
 public:
  Reader(const spirv::Module& module, const spirv::Function& function, graph::ValueGraph& graph)
      : ValueReader(module, function), graph_(graph) {}

  // Everything that has this value, in the order of the code.
  std::map<ValueId, std::vector<std::pair<Id, std::uint32_t>>> origins;

 protected:
  graph::Ref leaf(Id id, std::uint32_t component, io::ScalarType type) override {
    Value value;
    value.type = type;
    value.words = {id, component};
    return graph_.intern(std::move(value));
  }

  graph::Ref constant(io::ScalarType type, std::vector<std::uint32_t> bits) override {
    return graph_.constant(type, std::move(bits));
  }

  graph::Ref resource(io::ScalarType type, const graph::ResourceKey& key) override {
    Value value;
    value.kind = ValueKind::resource;
    value.type = type;
    value.words = key.words();
    return graph_.intern(std::move(value));
  }

  graph::Ref operation(const graph::ScalarOperation& operation) override {
    Value value;
    value.kind = ValueKind::operation;
    value.op = operation.op;
    value.glsl = operation.glsl;
    value.exact = operation.exact;
    value.type = operation.type;
    value.operands = operation.operands;
    return graph_.intern(std::move(value));
  }

  void finish(InstRef inst, std::vector<graph::Ref>& refs) override {
    const spv::Op op = module_[inst].op;
    if (is_rearrangement(op) && refs.size() > 1) return;  // the component is to be had where it came from
    for (std::uint32_t i = 0; i < refs.size(); ++i) origins[refs[i]].emplace_back(module_[inst].result, i);
  }

 private:
  graph::ValueGraph& graph_;
};

ProducerValues::ProducerValues(const LinkedStage& producer, graph::ValueGraph& graph)
    : producer_(producer),
      graph_(graph),
      reader_(std::make_unique<Reader>(producer.module, *producer.module.function(producer.entry.function), graph)),
      convergence_(producer.module, producer.entry),
      cfg_(producer.module, *producer.module.function(producer.entry.function)),
      places_(spirv::places_of(producer.module)) {
  if (producer.stage != Stage::vertex && producer.stage != Stage::tess_eval && producer.stage != Stage::geometry)
    return;
  reader_->run();
  const StoreTable table(producer);
  const auto comes_later = [&](InstRef a, InstRef b) {
    const spirv::Place &left = places_[a.index], &right = places_[b.index];
    return std::pair(left.block, left.index) > std::pair(right.block, right.index);
  };
  for (const io::Varying& output : producer.outputs) {
    const SlotStores* stores = table.find(output.slot);
    if (!stores || stores->read_back || stores->stores.empty() || output.stream != 0) continue;
    if (!sites_.empty() && sites_.size() != stores->stores.size()) continue;
    if (sites_.empty())
      for (const SlotStore& store : stores->stores) sites_.push_back(store.inst);
    std::vector<ValueId> values;
    for (std::size_t i = 0; i < stores->stores.size(); ++i) {
      const InstRef inst = stores->stores[i].inst;
      // Stores of one exit stand in one block.
      if (places_[inst.index].block != places_[sites_[i].index].block) break;
      if (comes_later(inst, sites_[i])) sites_[i] = inst;
      values.push_back(reader_->ref(producer.module.operand(inst, 1).word, 0));
    }
    const bool complete = values.size() == stores->stores.size() &&
                          std::find(values.begin(), values.end(), graph::kNoValue) == values.end();
    if (complete) values_.emplace(output.slot, graph.merge_sites(values));
  }
}

ProducerValues::~ProducerValues() = default;

std::optional<ValueId> ProducerValues::value(io::Slot slot) const {
  const auto found = values_.find(slot);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

bool ProducerValues::is_convergent(ValueId wanted) {
  if (convergence_.everything_is_convergent()) return true;
  convergent_.resize(graph_.size(), -1);
  std::vector<ValueId> open = {wanted};
  while (!open.empty()) {
    const ValueId value = open.back();
    if (convergent_[value] >= 0) {
      open.pop_back();
      continue;
    }
    const Value& node = graph_[value];
    bool result = node.kind == ValueKind::constant || node.kind == ValueKind::resource;
    if (node.kind == ValueKind::leaf) result = convergence_.is_convergent(node.words.front());
    if (node.kind == ValueKind::operation) {
      const auto missing = std::find_if(node.operands.begin(), node.operands.end(),
                                        [&](ValueId operand) { return convergent_[operand] < 0; });
      if (missing != node.operands.end()) {
        open.push_back(*missing);
        continue;
      }
      result = std::all_of(node.operands.begin(), node.operands.end(),
                           [&](ValueId operand) { return convergent_[operand] == 1; });
    }
    convergent_[value] = result;
    open.pop_back();
  }
  return convergent_[wanted] == 1;
}

std::optional<std::pair<Id, std::uint32_t>> ProducerValues::origin(ValueId value, InstRef inst) const {
  const auto found = reader_->origins.find(value);
  if (found == reader_->origins.end()) {
    // Specialization constants are leaves that no instruction of a function defines.
    const Value& node = graph_[value];
    if (node.kind != ValueKind::leaf) return std::nullopt;
    return std::pair(node.words[0], node.words[1]);
  }
  const spirv::Place& place = places_[inst.index];
  for (const auto& origin : found->second) {
    const spirv::Place& here = places_[producer_.module.def(origin.first).index];
    const bool before = here.block == place.block ? here.index < place.index : cfg_.dominates(here.block, place.block);
    if (before) return origin;
  }
  return std::nullopt;
}

}  // namespace varylink::link
