#include "passes/dedup_outputs.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/seeded_fault.h"
#include "link/model/varying_index.h"
#include "link/values/stored_alike.h"
#include "varyings/scalarize/captured_read_proxies.h"

namespace varylink::passes {
namespace {

using link::find_varying;
using link::LinkedStage;
using varyings::Slot;
using varyings::Varying;
using Stands = varyings::Proxy::Stands;

// Slots with equal keys can share one slot.
struct MergeKey {
  std::vector<std::optional<std::vector<link::PlacedStore>>> stores;  // by producer; none if it lacks the slot
  varyings::Interpolation interpolation;
  varyings::ScalarType scalar;
  bool patch = false;
  bool per_primitive = false;

  auto tied() const { return std::tie(stores, interpolation, scalar, patch, per_primitive); }
  friend bool operator<(const MergeKey& a, const MergeKey& b) { return a.tied() < b.tied(); }
};

class DuplicatePlanner {
 public:
  explicit DuplicatePlanner(const link::Link& link) : link_(link), declared_(link) {
    for (const LinkedStage* producer : link.producers) producers_.emplace_back(*producer);
  }

  // Slot that goes -> slot that stays.
  std::map<Slot, Slot> run() {
    std::map<MergeKey, std::vector<Slot>> groups;
    std::vector<Slot> slots;
    for (const LinkedStage* consumer : link_.consumers)
      for (const Varying& input : consumer->inputs) slots.push_back(input.slot);
    std::sort(slots.begin(), slots.end());
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    for (const Slot slot : slots)
      if (const auto key = merge_key(slot)) groups[*key].push_back(slot);
    std::map<Slot, Slot> plan;
    for (const auto& [key, alike] : groups) {
      const Slot kept = survivor(alike);
      for (const Slot slot : alike)
        if (slot != kept && may_stand_for(kept, slot)) plan.emplace(slot, kept);
    }
    return plan;
  }

  // Input -> proxy of a captured output with its value, which the consumer does not read: it reads that instead.
  std::map<Slot, Slot> duplicates_of_unread_captured() const {
    std::map<Slot, Slot> plan;
    std::map<std::uint32_t, varyings::Interpolation> read_as;  // by location of the proxy
    for (const varyings::Proxy& proxy : link_.proxies) {
      if (proxy.stands != Stands::for_reads_of_captured) continue;
      for (const Varying& input : link_.consumers.front()->inputs)
        if (proxy.holds(input.slot)) read_as.try_emplace(proxy.location, input.interpolation);
      for (std::uint32_t c = 0; c < proxy.count; ++c) {
        const Varying* duplicate = duplicate_of_unread_captured(proxy.slot_of(c), plan, read_as);
        if (!duplicate) continue;
        plan.emplace(duplicate->slot, proxy.slot_of(c));
        read_as.try_emplace(proxy.location, duplicate->interpolation);
      }
    }
    return plan;
  }

 private:
  // One variable, one interpolation: the components of the proxy become reads of one captured output.
  const Varying* duplicate_of_unread_captured(Slot proxy, const std::map<Slot, Slot>& taken,
                                              const std::map<std::uint32_t, varyings::Interpolation>& read_as) const {
    const Varying* output = declared_.producers.front().find(proxy);
    if (!output || declared_.consumers.front().find(proxy)) return nullptr;
    const auto stores = producers_.front().stores_of(proxy);
    const auto known = read_as.find(proxy.location);
    const auto is_duplicate = [&](const Varying& input) {
      return input.form == Varying::Form::scalar && input.scalar == output->scalar && !input.patch &&
             !input.per_primitive && !link_.proxy_at(input.slot) && taken.count(input.slot) == 0 &&
             (known == read_as.end() || known->second == input.interpolation) &&
             declared_.producers.front().find(input.slot) && may_stand_for(proxy, input.slot) &&
             producers_.front().stores_of(input.slot) == stores;
    };
    const std::vector<Varying>& inputs = link_.consumers.front()->inputs;
    const auto found = std::find_if(inputs.begin(), inputs.end(), is_duplicate);
    return stores && found != inputs.end() ? &*found : nullptr;
  }

  // The first of several slots with one value, but an integer before a float: a fragment shader that loads a float may
  // flush it or change which NaN it is, so that the bits of an integer would not survive (rule ). Among these, a
  // built-in and a captured output stay anyway, and so does what the stage loads itself, so that they come before
  // others (rules ). The primitive id is of interest to its reader only: it may go (rule ).
  Slot survivor(const std::vector<Slot>& alike) const {
    const bool has_integer = std::any_of(alike.begin(), alike.end(), [&](Slot slot) { return is_integer(slot); });
    const auto rank = [&](Slot slot) {
      return std::tuple(has_integer && !is_integer(slot), !stays_anyway(slot), !is_read_back(slot));
    };
    return *std::min_element(alike.begin(), alike.end(), [&](Slot a, Slot b) { return rank(a) < rank(b); });
  }

  bool stays_anyway(Slot slot) const {
    const varyings::Proxy* const proxy = link_.proxy_at(slot);
    return proxy && (proxy->stands != Stands::for_reads_of_built_in || proxy->built_in != spv::BuiltIn::PrimitiveId);
  }

  bool is_integer(Slot slot) const {
    return std::any_of(declared_.consumers.begin(), declared_.consumers.end(), [&](const auto& consumer) {
      const Varying* input = consumer.find(slot);
      return input && input->scalar.kind != varyings::ScalarKind::floating;
    });
  }

  bool may_stand_for(Slot kept, Slot gone) const {
    // A built-in gives way to another one only (rule ).
    const bool is_built_in_for_varying =
        link_.proxy_at(gone, Stands::for_built_in) && !link_.proxy_at(kept, Stands::for_built_in);
    return !is_built_in_for_varying && !is_read_back(gone) &&
           (link_.proxy_at(kept, Stands::for_reads_of_captured) || is_read_by_readers_of(gone, kept)) &&
           keeps_precision(gone, kept);
  }

  // An output that replaces a more precise one becomes as precise, unless its bytes stay.
  bool keeps_precision(Slot gone, Slot kept) const {
    if (!link_.proxy_at(kept, Stands::for_reads_of_captured)) return true;
    const link::VaryingIndex& outputs = declared_.producers.front();
    return !outputs.find(kept)->relaxed_precision || outputs.find(gone)->relaxed_precision;
  }

  std::optional<MergeKey> merge_key(Slot slot) const {
    MergeKey key;
    if (!add_stores(slot, key)) return std::nullopt;
    bool first = true;
    varyings::ScalarType type;
    for (const link::VaryingIndex& consumer : declared_.consumers) {
      const Varying* input = consumer.find(slot);
      if (!input) continue;
      if (input->form != Varying::Form::scalar) return std::nullopt;
      if (!first && (key.interpolation != input->interpolation || type != input->scalar)) return std::nullopt;
      type = input->scalar;
      if (!seeded_fault("dedup-ignores-interpolation")) key.interpolation = input->interpolation;
      key.scalar = input->scalar;
      // Values that are not interpolated travel as bits, whatever their type.
      if (!link_.consumer_interpolates() || input->interpolation.flat) key.scalar.kind = varyings::ScalarKind::uint;
      key.patch = input->patch;
      key.per_primitive = input->per_primitive;
      first = false;
    }
    return key;
  }

  // A consumer that lacks `kept` could not be given the declaration of another slot.
  bool is_read_by_readers_of(Slot gone, Slot kept) const {
    return std::all_of(link_.consumers.begin(), link_.consumers.end(), [&](const LinkedStage* consumer) {
      return !find_varying(consumer->inputs, gone) || find_varying(consumer->inputs, kept);
    });
  }

  bool add_stores(Slot slot, MergeKey& key) const {
    for (std::size_t i = 0; i < producers_.size(); ++i) {
      const bool is_lacking = !declared_.producers[i].find(slot) && link_.is_shared();
      key.stores.push_back(producers_[i].stores_of(slot));
      if (!key.stores.back() && !is_lacking) return false;
    }
    return true;
  }

  // An output that the stage itself loads is memory as well as a varying (rule ).
  bool is_read_back(Slot slot) const {
    return std::any_of(producers_.begin(), producers_.end(), [&](const link::StoredAlike& producer) {
      const link::SlotStores* stores = producer.table().find(slot);
      return stores && stores->read_back;
    });
  }

  const link::Link& link_;
  const link::VaryingIndices declared_;
  std::vector<link::StoredAlike> producers_;
};

// Where the value of a slot that stays is found; none for a built-in.
std::optional<Slot> place_of(const link::Link& link, Slot slot) {
  const varyings::Proxy* proxy = link.proxy_at(slot);
  if (!proxy) return slot;
  return proxy->stands == Stands::for_reads_of_captured ? std::optional(proxy->captured(slot)) : std::nullopt;
}

void keep_stricter_precision(link::Link& link, Slot gone, Slot kept) {
  const auto merge = [&](std::vector<Varying>& varyings) {
    const Varying* other = find_varying(varyings, gone);
    Varying* survivor = find_varying(varyings, kept);
    if (other && survivor) survivor->relaxed_precision = survivor->relaxed_precision && other->relaxed_precision;
  };
  for (LinkedStage* producer : link.producers) merge(producer->outputs);
  for (LinkedStage* consumer : link.consumers) merge(consumer->inputs);
}

// Loads of a variable that became highp may not stay mediump: another reader of the same value needs all of it
// (rule ).
void make_loads_highp(LinkedStage& consumer, Slot slot) {
  const Varying* survivor = find_varying(consumer.inputs, slot);
  if (!survivor || survivor->relaxed_precision) return;
  spirv::Module& module = consumer.module;
  for (const spirv::InstRef inst : module.annotations) {
    if (module[inst].op != spv::Op::OpDecorate ||
        module.operand(inst, 1).word != static_cast<std::uint32_t>(spv::Decoration::RelaxedPrecision))
      continue;
    const spirv::InstRef load = module.def(module.operand(inst, 0).word);
    if (load && module[load].op == spv::Op::OpLoad && module.operand(load, 0).word == survivor->variable)
      module.kill(inst);
  }
  module.sweep();
}

// The consumer reads the captured output in the place of `gone`, with the variable that it has for that.
void read_captured(LinkedStage& consumer, Slot gone, Slot kept) {
  Varying* input = find_varying(consumer.inputs, gone);
  varyings::move_variable(consumer.module, input->variable, kept);
  input->slot = kept;
  input->slots = {kept};
  input->proxy = true;
  consumer.note_change();
}

std::map<Slot, Slot> duplicates_of_unread_captured(const link::Link& link) {
  if (!link.has_proxies(Stands::for_reads_of_captured)) return {};
  return DuplicatePlanner(link).duplicates_of_unread_captured();
}

void remove_duplicate(link::Link& link, LinkedStage& producer, Slot gone, Slot kept) {
  const Varying* output = find_varying(producer.outputs, gone);
  if (!output) return;
  link.record_outcome(*output, link::Outcome::duplicate, "always the same value as " + link.name_of(kept),
                      place_of(link, kept));
  remove_output(producer, gone);
}

}  // namespace

Result<Progress> dedup_outputs(link::Link& link, PassContext& context) {
  Progress progress = Progress::none;
  for (const auto& [gone, kept] : DuplicatePlanner(link).run()) {
    if (!context.spend_fuel()) continue;
    keep_stricter_precision(link, gone, kept);
    for (LinkedStage* consumer : link.consumers) {
      if (!find_varying(consumer->inputs, gone)) continue;
      redirect_input(*consumer, gone, kept);
      make_loads_highp(*consumer, kept);
    }
    for (LinkedStage* producer : link.producers) remove_duplicate(link, *producer, gone, kept);
    progress = Progress::both;
  }
  for (const auto& [gone, kept] : duplicates_of_unread_captured(link)) {
    if (!context.spend_fuel()) continue;
    read_captured(*link.consumers.front(), gone, kept);
    remove_duplicate(link, *link.producers.front(), gone, kept);
    progress = Progress::both;
  }
  return progress;
}

}  // namespace varylink::passes
