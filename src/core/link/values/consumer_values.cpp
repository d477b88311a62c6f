#include "link/values/consumer_values.h"

#include <algorithm>

#include "analysis/built_in_slice.h"
#include "analysis/discontinuity.h"
#include "base/seeded_fault.h"
#include "link/values/kept_rounding.h"
#include "link/values/reachable_resources.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "varyings/reflect/interface_variable.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::link {

using graph::InterfaceValue;
using graph::kNoRef;
using graph::Ref;
using graph::Value;
using graph::ValueId;
using graph::ValueKind;
using spirv::Id;
using spirv::InstRef;

namespace {

std::optional<varyings::InterpolateAt> place_of(const spirv::Module& module, const varyings::PointerAccess& access) {
  if (access.kind != varyings::PointerAccess::Kind::interpolate) return std::nullopt;
  return varyings::interpolate_at(module, access.inst);
}

// An input that is read at two places of the pixel is two values in one slot. Extrapolation to an offset by drivers is
// not linear: the sum with a constant is another value there.
bool has_one_place(const spirv::Module& module, const varyings::VariableAccesses& accesses) {
  const auto first = place_of(module, accesses.accesses.front());
  if (first && first->at_offset() && !seeded_fault("move-interpolate-at-offset")) return false;
  return std::all_of(accesses.accesses.begin(), accesses.accesses.end(), [&](const varyings::PointerAccess& access) {
    return place_of(module, access) == first || seeded_fault("move-mixes-interpolate-at");
  });
}

// Of a table whose choice is worth some selections in the producer.
constexpr std::size_t kMostEntries = 4;

// Doubles are never interpolated, so that all that is said of other values that cross as they are holds for them.
// Numbers of 16 bits need a producer that computes with them (rule ); what converts them moves across no
// interpolation, which is not linear.
bool is_followed_type(const spirv::Module& producer, varyings::ScalarType type) {
  if (type.width == 16) return !varyings::is_storage_only(producer, type);
  return type.width == 32 || type == varyings::ScalarType{varyings::ScalarKind::floating, 64};
}

}  // namespace

// Loads, and the operations over them that the producer could as well compute, as loads of interface values.
class ConsumerValues::Reader final : public graph::ValueReader {
 public:
  Reader(ConsumerValues& owner, const spirv::Function& function, const std::vector<bool>& stops_rounding)
      : ValueReader(owner.consumer_.module, function), owner_(owner), stops_rounding_(stops_rounding) {
    if (!owner.link_.consumer_interpolates()) built_in_ = analysis::reaches_built_in(module_, function);
  }

  const InterfaceLoad& interface_load(Ref ref) const { return interface_loads_[ref]; }

 protected:
  Ref leaf(Id id, std::uint32_t, varyings::ScalarType) override {
    const auto load = owner_.loads_.find(module_.def(id));
    if (load == owner_.loads_.end()) return kNoRef;
    const Value& value = owner_.graph_[load->second.what.value];
    const Ref sent = intern(load->second);
    rounded_[sent] = graph::is_rounded(value) || graph::passes_on_rounding(value);
    return sent;
  }

  Ref constant(varyings::ScalarType type, std::vector<std::uint32_t> bits) override {
    return intern({{owner_.graph_.constant(type, std::move(bits))}});
  }

  Ref resource(varyings::ScalarType type, const graph::ResourceKey& key) override {
    Value value = graph::value_of(type, key);
    // The producer may have something else there.
    if (!is_same_resource(value, owner_.link_.report.producer, owner_.link_.report.consumer, owner_.layout_))
      return kNoRef;
    return intern({{owner_.graph_.intern(std::move(value))}});
  }

  // Without the promise the producer's constant may have another value.
  Ref specialization(Id, const graph::SpecConstantKey& key) override {
    if (!owner_.consumer_.state.shared_spec_constants && !seeded_fault("spec-constants-shared-unasked")) return kNoRef;
    return intern({{owner_.graph_.intern(graph::value_of(key))}});
  }

  Ref operation(const graph::ScalarOperation& operation) override {
    InterfaceLoad result;
    Value value;
    std::vector<bool> convergent;
    for (const Ref operand : operation.operands) {
      if (operand == kNoRef) return kNoRef;
      const InterfaceLoad& interface_load = interface_loads_[operand];
      const bool is_convergent = interface_load.what.interpolation_class == graph::kConvergentClass;
      convergent.push_back(is_convergent);
      value.operands.push_back(interface_load.what.value);
      const graph::StorePointSetId points = interface_load.what.store_points;
      if (points != graph::kNoStorePoints && result.what.store_points != graph::kNoStorePoints &&
          result.what.store_points != points)
        return kNoRef;
      if (points != graph::kNoStorePoints) result.what.store_points = points;
      if (is_convergent) continue;
      // Values of two interpolation classes, two vertices, or two sets of places that store meet in the consumer only.
      const bool first = result.what.interpolation_class == graph::kConvergentClass;
      if (!first && result.what.interpolation_class != interface_load.what.interpolation_class &&
          !seeded_fault("move-mixes-interpolations"))
        return kNoRef;
      if (!first && (result.vertex != interface_load.vertex || result.block != interface_load.block) &&
          !seeded_fault("move-mixes-vertices"))
        return kNoRef;
      result = interface_load;
    }
    // The value has no permissions and stands for the operation with them (rule ): no code computes it yet.
    value.kind = ValueKind::operation;
    value.op = operation.op;
    value.glsl = operation.glsl;
    value.no_contraction = operation.no_contraction;
    value.type = operation.type;
    if (operation.component) value.words = {*operation.component};
    const bool takes_rounded = std::any_of(operation.operands.begin(), operation.operands.end(),
                                           [&](Ref operand) { return rounded_[operand]; });
    const bool is_fused_elsewhere = takes_rounded && graph::is_rounded(value) &&
                                    result.what.interpolation_class < graph::kFirstInterpolatedClass &&
                                    owner_.keeps_rounding(operation.result);
    value.no_contraction = value.no_contraction || is_fused_elsewhere;
    const bool passes_on = takes_rounded && graph::passes_on_rounding(value);
    if (!is_followed_type(owner_.link_.producers.front()->module, value.type) &&
        value.type.kind != varyings::ScalarKind::boolean)
      return kNoRef;
    if (changes_width(value)) return kNoRef;
    if (!graph::commutes(value, result.what.interpolation_class, convergent)) return kNoRef;
    result.what.value = owner_.graph_.intern(std::move(value));
    // What is the same whatever a condition chooses has no part in the class of the condition.
    if (owner_.is_convergent(result.what.value)) result.what.interpolation_class = graph::kConvergentClass;
    const Ref computed = intern(result);
    rounded_[computed] = rounded_[computed] || passes_on;
    return computed;
  }

  // A choice by a branch becomes a selection: both sides are computed from values that cross, and nothing guards that.
  // The selection is written at the start, in front of which no index of a vertex is known (rule ).
  Ref choice(Ref condition, Ref if_true, Ref if_false, varyings::ScalarType type) override {
    for (const Ref part : {condition, if_true, if_false})
      if (part == kNoRef || interface_loads_[part].block != InterfaceLoad::kAnywhere) return kNoRef;
    return operation({spv::Op::OpSelect, 0, false, type, {condition, if_true, if_false}});
  }

  // A small table that this code fills with values that cross, as a choice between them (rule ): what is
  // written at the start, in front of which no index of a vertex is known (rule ).
  bool looks_up() const override { return true; }
  Ref entry(Ref index, varyings::ScalarType index_type, const std::vector<Ref>& entries,
            varyings::ScalarType type) override {
    const auto is_anywhere = [&](Ref part) { return interface_loads_[part].block == InterfaceLoad::kAnywhere; };
    if (entries.size() > kMostEntries || !is_anywhere(index) || !std::ranges::all_of(entries, is_anywhere))
      return kNoRef;
    return selection(index, index_type, entries, type);
  }

  // Positions of vertices, and values captured of them, keep their last bits (rules ).
  bool keeps_order(InstRef inst) const override {
    return !owner_.link_.consumer_interpolates() &&
           (owner_.consumer_.reaches_capture || built_in_[module_[inst].result]);
  }

  void finish(InstRef inst, std::vector<Ref>& refs) override {
    if (spirv::is_rearrangement(module_[inst].op)) return;
    const auto stays = [&](Ref ref) {
      if (ref == kNoRef) return true;
      const std::uint32_t block = interface_loads_[ref].block;
      if (block != InterfaceLoad::kAnywhere && block != owner_.places_[inst.index].block) return true;
      const bool interpolated = interface_loads_[ref].what.interpolation_class >= graph::kFirstInterpolatedClass;
      // A load is the value as it crosses.
      return interpolated && stops_rounding_[module_[inst].result] && owner_.loads_.count(inst) == 0;
    };
    if (std::any_of(refs.begin(), refs.end(), stays)) std::fill(refs.begin(), refs.end(), kNoRef);
  }

 private:
  // Between 32 and 64 bits: no slot changes its width (rule ).
  bool changes_width(const Value& value) const {
    return std::any_of(value.operands.begin(), value.operands.end(), [&](ValueId operand) {
      const bool is_wide = owner_.graph_[operand].type.width == 64;
      return is_wide != (value.type.width == 64) && owner_.graph_[operand].type.kind != varyings::ScalarKind::boolean;
    });
  }

  Ref intern(const InterfaceLoad& interface_load) {
    const auto [entry, is_new] = index_.try_emplace(interface_load, static_cast<Ref>(interface_loads_.size()));
    if (is_new) {
      interface_loads_.push_back(interface_load);
      rounded_.push_back(false);
    }
    return entry->second;
  }

  ConsumerValues& owner_;
  const std::vector<bool>& stops_rounding_;  // by id
  std::vector<bool> built_in_;               // by id: feeds a built-in output in front of the rasterizer
  std::vector<InterfaceLoad> interface_loads_;
  std::vector<bool> rounded_;  // by reference: crosses with a rounding that the producer gave it
  std::map<InterfaceLoad, Ref> index_;
};

// Where a component really comes from, behind all rearrangements: a component of a computed or loaded id.
class ConsumerValues::Roots final : public graph::ValueReader {
 public:
  using ValueReader::ValueReader;
  const std::pair<Id, std::uint32_t>& root(Ref ref) const { return roots_[ref]; }

 protected:
  Ref leaf(Id, std::uint32_t, varyings::ScalarType) override { return 0; }
  Ref constant(varyings::ScalarType, std::vector<std::uint32_t>) override { return 0; }
  Ref resource(varyings::ScalarType, const graph::ResourceKey&) override { return 0; }
  Ref operation(const graph::ScalarOperation&) override { return 0; }
  void finish(InstRef inst, std::vector<Ref>& refs) override {
    if (spirv::is_rearrangement(module_[inst].op) && std::find(refs.begin(), refs.end(), kNoRef) == refs.end() &&
        rearranges(inst))
      return;
    for (std::uint32_t i = 0; i < refs.size(); ++i) {
      refs[i] = static_cast<Ref>(roots_.size());
      roots_.emplace_back(module_[inst].result, i);
    }
  }

 private:
  // Extracts from structures and arrays are leaves.
  bool rearranges(InstRef inst) const {
    for (const spirv::Operand& operand : module_.operands(inst))
      if (operand.is_id && refs(operand.word).empty()) return false;
    return true;
  }

  std::vector<std::pair<Id, std::uint32_t>> roots_ = {{0, 0}};  // 0: constants
};

ConsumerValues::ConsumerValues(const Link& link, graph::ValueGraph& graph, ProducerValues& producer,
                               bool crosses_discontinuities, const PipelineLayout* layout)
    : link_(link), consumer_(*link.consumers.front()), graph_(graph), producer_(producer), layout_(layout) {
  const spirv::Function& function = *consumer_.module.function(consumer_.entry.function);
  const std::vector<bool> stops_rounding =
      analysis::stops_rounding(consumer_.module, function, crosses_discontinuities);
  keeps_rounding_ = link::keeps_rounding(consumer_, link.consumer_interpolates(), crosses_discontinuities);
  places_ = spirv::places_of(consumer_.module);
  find_inputs();
  reader_ = std::make_unique<Reader>(*this, function, stops_rounding);
  reader_->run();
  find_sinks(function, stops_rounding);
}

ConsumerValues::~ConsumerValues() = default;

graph::ClassId ConsumerValues::class_of(const varyings::Varying& input, const varyings::PointerAccess& access) {
  if (input.interpolation.per_vertex && !seeded_fault("move-raw-vertices-as-flat")) return graph::kRawVertexClass;
  if (!link_.consumer_interpolates() || input.interpolation.flat || input.per_primitive) return graph::kDirectClass;
  return number_of({input.interpolation, place_of(consumer_.module, access)});
}

bool ConsumerValues::is_convergent(ValueId value) const {
  return link_.consumer_interpolates() && producer_.is_convergent(value);
}

// Nothing, or the same wherever it is used.
bool ConsumerValues::is_fixed(Id value) const {
  return value == 0 || consumer_.module.def_op(value) == spv::Op::OpConstant;
}

graph::ClassId ConsumerValues::number_of(InterpolationClass way) {
  auto found = std::find(classes_.begin(), classes_.end(), way);
  if (found == classes_.end()) found = classes_.insert(classes_.end(), way);
  return graph::kFirstInterpolatedClass + static_cast<graph::ClassId>(found - classes_.begin());
}

bool ConsumerValues::is_followed(const varyings::Varying& input) const {
  const varyings::Varying* output = find_varying(link_.producers.front()->outputs, input.slot);
  const auto value = producer_.value(input.slot);
  if (!output || !value || output->captured || input.proxy || input.form != varyings::Varying::Form::scalar)
    return false;
  return is_followed_type(link_.producers.front()->module, input.scalar) && graph_[*value].type == input.scalar &&
         !is_last_sample_input(consumer_, input.slot);
}

void ConsumerValues::find_inputs() {
  const spirv::Uses uses(consumer_.module);
  for (const varyings::Varying& input : consumer_.inputs) {
    if (!is_followed(input)) continue;
    const varyings::VariableAccesses accesses = varyings::accesses_of(consumer_.module, uses, input.variable);
    if (accesses.obstacle || accesses.accesses.empty() || !has_one_place(consumer_.module, accesses)) continue;
    const ValueId value = *producer_.value(input.slot);
    const graph::ClassId way =
        is_convergent(value) ? graph::kConvergentClass : class_of(input, accesses.accesses.front());
    const InterfaceValue what{value, way, producer_.store_point_set(input.slot)};
    inputs_.emplace(input.slot, what);
    for (const varyings::PointerAccess& access : accesses.accesses) {
      InterfaceLoad interface_load{what};
      if (!access.indices.empty()) interface_load.vertex = access.indices.front();
      const auto place = place_of(consumer_.module, access);
      if (!is_fixed(interface_load.vertex) || (place && !is_fixed(place->operand)))
        interface_load.block = places_[access.inst.index].block;
      loads_.emplace(access.inst, interface_load);
    }
  }
}

void ConsumerValues::find_sinks(const spirv::Function& function, const std::vector<bool>& stops_rounding) {
  Roots roots(consumer_.module, function);
  roots.run();
  std::map<Id, std::size_t> index;
  const auto add = [&](Id id, std::uint32_t component) {
    const std::vector<Ref>& refs = reader_->refs(id);
    const auto [entry, is_new] = index.try_emplace(id, sinks_.size());
    if (is_new) {
      Sink sink;
      sink.id = id;
      for (const Ref ref : refs) sink.components.push_back(reader_->interface_load(ref));
      sink.used.assign(refs.size(), false);
      sinks_.push_back(std::move(sink));
    }
    Sink& sink = sinks_[entry->second];
    sink.used[component] = true;
    const InterfaceValue& what = sink.components[component].what;
    if (stops_rounding[id] && what.interpolation_class >= graph::kFirstInterpolatedClass) non_movable_.insert(what);
  };
  for (const spirv::Block& block : function.blocks)
    for (const InstRef inst : block.body) {
      const Id result = consumer_.module[inst].result;
      if (spirv::is_debug_inst(consumer_.module, inst)) continue;
      const std::vector<Ref>& own = result == 0 ? std::vector<Ref>{} : reader_->refs(result);
      const bool computed = !own.empty() && std::find(own.begin(), own.end(), kNoRef) == own.end();
      if (computed) continue;
      const bool passes_on = spirv::is_rearrangement(consumer_.module[inst].op) && !own.empty() &&
                             roots.refs(result).size() == own.size() &&
                             roots.root(roots.refs(result).front()).first != result;
      if (passes_on) continue;
      for (const spirv::Operand& operand : consumer_.module.operands(inst)) {
        if (!operand.is_id) continue;
        for (const Ref ref : roots.refs(operand.word)) {
          const auto& [id, component] = roots.root(ref);
          if (id != 0 && reader_->ref(id, component) != kNoRef) add(id, component);
        }
      }
    }
}

}  // namespace varylink::link
