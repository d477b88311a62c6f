#include "link/values/producer_values.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/seeded_fault.h"
#include "spirv/ir/input_reads.h"
#include "spirv/ir/op_info.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::link {

using graph::Value;
using graph::ValueId;
using graph::ValueKind;
using spirv::Id;
using spirv::InstRef;

namespace {

constexpr varyings::ScalarType kFloat{varyings::ScalarKind::floating, 32};
constexpr std::uint32_t kBitsOfOne = 0x3f800000u;

}  // namespace

class ProducerValues::Reader final : public graph::ValueReader {
 public:
  Reader(const LinkedStage& producer, graph::ValueGraph& graph, const CertainBuffers* consumers)
      : ValueReader(producer.module, *producer.module.function(producer.entry.function),
                    // Who reads what a geometry shader writes comes of a vertex that it emitted.
                    producer.stage == Stage::geometry ? spirv::DereferenceableRanges::Until::emit
                                                      : spirv::DereferenceableRanges::Until::end),
        graph_(graph),
        consumers_(consumers),
        input_reads_(producer.module),
        ends_in_capture_(producer.reaches_capture && !producer.entry.captures) {}

  using Origin = std::pair<ValueId, std::pair<Id, std::uint32_t>>;

  // Everything that has this value, in the order of the code.
  std::span<const Origin> origins_of(ValueId value) {
    const auto is_before = [](const Origin& a, const Origin& b) { return a.first < b.first; };
    if (!std::exchange(is_sorted_, true)) std::stable_sort(origins_.begin(), origins_.end(), is_before);
    const auto [first, last] = std::equal_range(origins_.begin(), origins_.end(), Origin{value, {}}, is_before);
    return {first, last};
  }

 protected:
  graph::Ref leaf(Id id, std::uint32_t component, varyings::ScalarType type) override {
    const auto [read, part] = input_reads_.first_alike(id, component);
    Value value;
    value.type = type;
    value.permissions = permissions_of(id);
    value.words = {read, part};
    return graph_.intern(std::move(value));
  }

  graph::Ref constant(varyings::ScalarType type, std::vector<std::uint32_t> bits) override {
    return graph_.constant(type, std::move(bits));
  }

  graph::Ref resource(varyings::ScalarType type, const graph::ResourceKey& key) override {
    return graph_.intern(graph::value_of(type, key));
  }

  graph::Ref operation(const graph::ScalarOperation& operation) override {
    return graph_.intern(graph::value_of(operation));
  }

  graph::Ref specialization(Id, const graph::SpecConstantKey& key) override {
    return graph_.intern(graph::value_of(key));
  }

  // Values that a stage behind this one captures keep their last bits (rule ).
  bool keeps_order(InstRef) const override { return ends_in_capture_; }

  // The consumer can also choose between values that it can compute by itself: no code of the producer is needed for
  // that. A side that may be anything is equal to the other side.
  graph::Ref choice(graph::Ref condition, graph::Ref if_true, graph::Ref if_false, varyings::ScalarType type) override {
    if (if_true == graph::kNoRef) std::swap(if_true, if_false);
    if (if_true == graph::kNoRef || !graph_.is_uniform(if_true)) return graph::kNoRef;
    if (if_false == graph::kNoRef || if_false == if_true) return if_true;
    if (!graph_.is_uniform(condition) || !graph_.is_uniform(if_false)) return graph::kNoRef;
    return operation({spv::Op::OpSelect, 0, false, type, {condition, if_true, if_false}});
  }

  // A table of values that the consumer has, at an index that it has as well, as a choice between the entries (rule
  // An index outside of the table gives anything.
  bool looks_up() const override { return true; }
  graph::Ref entry(graph::Ref index, varyings::ScalarType index_type, const std::vector<graph::Ref>& entries,
                   varyings::ScalarType type) override {
    const auto is_known = [&](graph::Ref entry) { return graph_.is_uniform(entry); };
    if (!graph_.is_uniform(index) || !std::all_of(entries.begin(), entries.end(), is_known)) return graph::kNoRef;
    if (graph_[index].kind == ValueKind::constant && graph_[index].words.front() < entries.size())
      return entries[graph_[index].words.front()];
    return selection(index, index_type, entries, type);
  }

  graph::Ref indexed_resource(varyings::ScalarType type, const graph::ResourceKey& key, graph::Ref index) override {
    return graph_.is_uniform(index) ? graph_.intern(graph::value_of(type, key, index)) : graph::kNoRef;
  }

  bool is_there_for_users(varyings::ScalarType type, const graph::ResourceKey& key) const override {
    return consumers_ && consumers_->have(type, key);
  }

  void finish(InstRef inst, std::vector<graph::Ref>& refs) override {
    const spv::Op op = module_[inst].op;
    if (spirv::is_rearrangement(op) && refs.size() > 1) return;  // the component is to be had where it came from
    const Id result = module_[inst].result;
    for (std::uint32_t i = 0; i < refs.size(); ++i)
      if (is_as_good_as(result, refs[i])) origins_.push_back({refs[i], {result, i}});
  }

 private:
  // The code may take the result for the value: it is not permitted to be less (rule ). A load or a copy may be
  // relaxed although what it reads is not.
  bool is_as_good_as(Id result, ValueId value) const {
    const Value& node = graph_[value];
    const bool is_itself = node.kind == ValueKind::leaf && node.words.front() == result;
    if (is_itself || seeded_fault("graph-forgets-permissions")) return true;
    return (permissions_of(result) & ~node.permissions) == 0;
  }

  graph::ValueGraph& graph_;
  const CertainBuffers* consumers_;  // may be null
  spirv::InputReads input_reads_;
  bool ends_in_capture_;
  std::vector<Origin> origins_;
  bool is_sorted_ = false;  // origins_, once all are known
};

// Where a store stands, and which element it stores to, as values of its indices.
struct ProducerValues::StorePlace {
  std::uint32_t function = 0, block = 0, segment = 0;
  std::vector<ValueId> indices;
  friend auto operator<=>(const StorePlace&, const StorePlace&) = default;
};

struct ProducerValues::StorePointSetKey {
  std::vector<StorePlace> places;  // in the order of the code
  bool patch = false, per_primitive = false;
  friend auto operator<=>(const StorePointSetKey&, const StorePointSetKey&) = default;
};

ProducerValues::ProducerValues(const LinkedStage& producer, graph::ValueGraph& graph, const CertainBuffers* consumers)
    : producer_(producer),
      graph_(graph),
      reader_(std::make_unique<Reader>(producer, graph, consumers)),
      cfg_(producer.module, *producer.module.function(producer.entry.function)),
      places_(spirv::places_of(producer.module)) {
  store_point_sets_.emplace_back();
  reader_->run();
  segments_ = segments_of(producer.module);
  std::map<StorePointSetKey, graph::StorePointSetId> known;
  const StoreTable table(producer);
  for (const varyings::Varying& output : producer.outputs)
    if (const SlotStores* stores = table.find(output.slot)) read_output(*stores, known);
  find_complements();
}

ProducerValues::~ProducerValues() = default;

// Between two stores of one block: nothing but the stage itself sees the first.
bool ProducerValues::is_loaded_between(const SlotStores& stores, spirv::InstRef first, spirv::InstRef second) {
  if (!uses_) uses_.emplace(producer_.module);
  const auto accesses = varyings::accesses_of(producer_.module, *uses_, stores.output->variable);
  return varyings::is_read_between(accesses, places_, first, second);
}

void ProducerValues::read_output(const SlotStores& stores, std::map<StorePointSetKey, graph::StorePointSetId>& known) {
  if (stores.stores.empty() || stores.output->stream != 0) return;
  StorePointSetKey key{{}, stores.output->patch, stores.output->per_primitive};
  if (seeded_fault("store-points-ignore-primitives")) key.per_primitive = false;
  std::vector<StorePoint> points;
  std::vector<ValueId> values;
  for (const SlotStore& store : stores.stores) {
    const spirv::Place& place = places_[store.inst.index];
    StorePlace where{place.function, place.block, segments_[store.inst.index], {}};
    for (const Id index : store.indices)
      where.indices.push_back(seeded_fault("store-points-ignore-index") ? 0 : reader_->ref(index, 0));
    const ValueId value = reader_->ref(producer_.module.operand(store.inst, 1).word, 0);
    const bool is_known = value != graph::kNoValue &&
                          std::find(where.indices.begin(), where.indices.end(), graph::kNoValue) == where.indices.end();
    if (!is_known) return;
    if (!key.places.empty() && key.places.back() == where) {  // the value stored there before is gone
      const bool is_replaced = stores.read_back && values.back() != value && !seeded_fault("own-values-ignore-loads");
      if (is_replaced && is_loaded_between(stores, points.back().last_store, store.inst)) return;
      key.places.pop_back();
      points.pop_back();
      values.pop_back();
    }
    key.places.push_back(std::move(where));
    points.push_back({store.inst, store.indices});
    values.push_back(value);
  }
  const auto [entry, is_new] =
      known.try_emplace(std::move(key), static_cast<graph::StorePointSetId>(store_point_sets_.size()));
  if (is_new) store_point_sets_.push_back(points);
  std::vector<StorePoint>& all = store_point_sets_[entry->second];
  for (std::size_t i = 0; i < points.size(); ++i)
    if (places_[points[i].last_store.index].index > places_[all[i].last_store.index].index) all[i] = points[i];
  (stores.read_back ? own_values_ : values_)
      .emplace(stores.output->slot, Stored{graph_.merge_store_points(values), entry->second});
}

// The value that is 0 and 1 where `value` is 1 and 0, if `value` is one of these wherever it is stored.
std::optional<ValueId> ProducerValues::complement_of(ValueId value) {
  if (graph_[value].kind != ValueKind::per_store_point || graph_[value].type != kFloat) return std::nullopt;
  const ValueId zero = graph_.constant(kFloat, {0}), one = graph_.constant(kFloat, {kBitsOfOne});
  std::vector<ValueId> parts = graph_[value].operands;
  for (ValueId& part : parts) {
    if (part != zero && part != one) return std::nullopt;
    part = part == zero ? one : zero;
  }
  return graph_.merge_store_points(parts);
}

// Of two outputs of which one is 1 wherever the other is 0, the second is 1 less the first: exactly, so that the first
// says it all. Both are stored together (rule ).
void ProducerValues::find_complements() {
  std::set<std::pair<graph::StorePointSetId, ValueId>> stored_before;
  for (auto& [slot, stored] : values_) {
    const std::optional<ValueId> complement = complement_of(stored.value);
    if (!complement) continue;
    if (stored_before.count({stored.store_points, *complement}) != 0)
      stored.value = graph_.intern(
          graph::value_of({spv::Op::OpFSub, 0, false, kFloat, {graph_.constant(kFloat, {kBitsOfOne}), *complement}}));
    else
      stored_before.emplace(stored.store_points, stored.value);
  }
}

std::optional<ValueId> ProducerValues::value(varyings::Slot slot) const {
  const auto found = values_.find(slot);
  return found == values_.end() ? std::nullopt : std::optional(found->second.value);
}

std::optional<ValueId> ProducerValues::component(Id id, std::uint32_t component) const {
  const graph::Ref ref = reader_->ref(id, component);
  return ref == graph::kNoRef ? std::nullopt : std::optional(ref);
}

std::optional<ValueId> ProducerValues::own_value(varyings::Slot slot) const {
  const auto found = own_values_.find(slot);
  return found == own_values_.end() ? std::nullopt : std::optional(found->second.value);
}

graph::StorePointSetId ProducerValues::store_point_set(varyings::Slot slot) const {
  const auto found = values_.find(slot);
  return found == values_.end() ? graph::kNoStorePoints : found->second.store_points;
}

bool ProducerValues::is_convergent(ValueId wanted) {
  if (!convergence_) convergence_.emplace(producer_.module, producer_.entry, producer_.state);
  if (convergence_->everything_is_convergent()) return true;
  convergent_.resize(graph_.size(), -1);
  std::vector<ValueId> open = {wanted};
  while (!open.empty()) {
    const ValueId value = open.back();
    if (convergent_[value] >= 0) {
      open.pop_back();
      continue;
    }
    const Value& node = graph_[value];
    bool result =
        node.kind == ValueKind::constant || node.kind == ValueKind::resource || node.kind == ValueKind::specialization;
    if (node.kind == ValueKind::leaf) result = convergence_->is_convergent(node.words.front());
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
  const auto origins = reader_->origins_of(value);
  if (origins.empty()) {
    // Specialization constants that are no scalars of their own are leaves that no instruction of a function defines.
    const Value& node = graph_[value];
    if (node.kind != ValueKind::leaf) return std::nullopt;
    return std::pair(node.words[0], node.words[1]);
  }
  for (const Reader::Origin& origin : origins)
    if (cfg_.precedes(places_[producer_.module.def(origin.second.first).index], places_[inst.index]))
      return origin.second;
  return std::nullopt;
}

}  // namespace varylink::link
