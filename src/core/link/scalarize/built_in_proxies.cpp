// Built-ins between stages that are not last before the rasterizer take part in linking as varyings (rule ).
#include "varyings/scalarize/built_in_proxies.h"

#include <algorithm>
#include <set>

#include "link/scalarize/proxies.h"
#include "link/scalarize/proxy_steps.h"
#include "link/values/slot_values.h"
#include "spirv/ir/globals.h"
#include "varyings/vectorize/vectorize_io.h"

namespace varylink::link {
namespace {

using link::Link;
using link::LinkedStage;
using spirv::Module;
using varyings::BuiltInUse;
using varyings::BuiltInUses;
using varyings::Direction;
using varyings::Proxy;
using varyings::Slot;
using varyings::Varying;

std::uint32_t width_of(const Module& module, spirv::Id type) {
  return module.def_op(type) == spv::Op::OpTypeArray ? varyings::array_length(module, type).value_or(0)
                                                     : spirv::component_count(module, type);
}

const varyings::BuiltIn* declared(const BuiltInUses& uses, spv::BuiltIn kind) {
  const auto found = std::find_if(uses.declared.begin(), uses.declared.end(),
                                  [&](const varyings::BuiltIn& each) { return each.kind == kind; });
  return found == uses.declared.end() ? nullptr : &*found;
}

// The built-ins that some code touches, with locations; none if the two sides do not fit together.
std::vector<Proxy> give_locations(const Link& link, const BuiltInUses& written, const BuiltInUses& read) {
  const Module &producer = link.producers.front()->module, &consumer = link.consumers.front()->module;
  std::set<spv::BuiltIn> kinds, stored;
  for (const BuiltInUses* side : {&written, &read})
    for (const BuiltInUse& use : side->uses) kinds.insert(use.built_in.kind);
  for (const BuiltInUse& use : written.uses)
    if (use.kind == varyings::PointerAccess::Kind::store) stored.insert(use.built_in.kind);
  std::uint32_t location = first_free_location(link);
  std::vector<Proxy> proxies;
  for (const spv::BuiltIn kind : kinds) {
    const auto *out = declared(written, kind), *in = declared(read, kind);
    // Rule: a built-in that no code writes is undefined, and a varying that reads as zero is not.
    if (!out || stored.count(kind) == 0) return {};
    const std::uint32_t count = width_of(producer, out->type);
    if (count == 0 || (in && width_of(consumer, in->type) != count)) return {};
    proxies.push_back(
        varyings::proxy_of_built_in(Proxy::Stands::for_built_in, kind, producer, out->type, location, count));
    location += proxies.back().location_count();
  }
  return proxies;
}

// Vectors whose components are scalars on both sides, as variables that both sides declare alike.
std::vector<varyings::PackedVariable> vectors_of(const Link& link, const std::vector<Proxy>& proxies) {
  std::vector<varyings::PackedVariable> packed;
  for (const Proxy& each : proxies) {
    const auto is_scalar = [&](const Varying& varying) {
      return !each.holds(varying.slot) || varying.form == Varying::Form::scalar;
    };
    const auto &outputs = link.producers.front()->outputs, &inputs = link.consumers.front()->inputs;
    if (each.is_array || !std::all_of(outputs.begin(), outputs.end(), is_scalar) ||
        !std::all_of(inputs.begin(), inputs.end(), is_scalar))
      continue;
    varyings::PackedVariable variable;
    variable.slot = {each.location, 0};
    for (std::uint32_t c = 0; c < each.count; ++c) variable.members.push_back(each.slot_of(c));
    variable.name = each.name;
    variable.built_in = each.built_in;
    packed.push_back(std::move(variable));
  }
  return packed;
}

void restore_side(LinkedStage& stage, Direction direction, const std::vector<Proxy>& proxies,
                  const std::vector<varyings::PackedVariable>& vectors) {
  std::vector<Varying>& varyings = direction == Direction::output ? stage.outputs : stage.inputs;
  std::vector<Varying> scalars;
  std::erase_if(varyings, [&](const Varying& varying) {
    const bool is_part = std::any_of(vectors.begin(), vectors.end(), [&](const varyings::PackedVariable& vector) {
      return vector.slot.location == varying.slot.location;
    });
    if (is_part) scalars.push_back(varying);
    return is_part;
  });
  const std::map<Slot, Slot> nothing_is_placed;
  varyings::VectorizeRequest request;
  request.direction = direction;
  request.varyings = &scalars;
  request.packed = &vectors;
  request.placement = &nothing_is_placed;
  varyings::vectorize_io(stage.module, stage.entry, request);
  varyings::restore_built_ins(stage.module, stage.entry, direction, proxies, varyings);
}

// Outcomes of the components of one built-in, as remarks; as one if none is read.
void remark(Link& link, const Proxy& built_in) {
  const std::string producer(short_name(link.report.producer)), consumer(short_name(link.report.consumer));
  const auto add = [&](link::Outcome outcome, std::string message) {
    link.unrecorded_change = true;
    link.remarks.push_back({std::string(pass_behind(outcome)), producer, std::move(message)});
  };
  std::vector<const link::ComponentRecord*> records;
  for (std::uint32_t c = 0; c < built_in.count; ++c) records.push_back(link.record(built_in.slot_of(c)));
  const auto is_dead = [](const link::ComponentRecord* record) { return record->outcome == link::Outcome::dead; };
  const std::string not_written = " is not written any more: the " + consumer + " stage does not read it";
  if (std::all_of(records.begin(), records.end(), is_dead))
    return add(link::Outcome::dead, built_in.name + not_written);
  for (std::uint32_t c = 0; c < built_in.count; ++c) {
    const link::ComponentRecord* record = records[c];
    const bool is_idle = std::find(built_in.idle.begin(), built_in.idle.end(), c) != built_in.idle.end();
    if (record->outcome == link::Outcome::kept || (is_dead(record) && is_idle)) continue;
    const std::string what = built_in.component_name(record->old_slot);
    add(record->outcome, what + (is_dead(record) ? not_written : " does not cross any more: " + record->reason));
  }
}

bool passes_distances(const BuiltInUses& read) {
  return std::any_of(read.uses.begin(), read.uses.end(), [](const BuiltInUse& use) {
    return use.built_in.kind == spv::BuiltIn::ClipDistance || use.built_in.kind == spv::BuiltIn::CullDistance;
  });
}

}  // namespace

void replace_built_ins(Link& link, const link::LinkOptions& options) {
  if (!link.has_plain_built_ins() || link.is_shared()) return;
  LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  const auto written = varyings::plain_built_in_uses(producer.module, producer.entry, Direction::output);
  const auto read = varyings::plain_built_in_uses(consumer.module, consumer.entry, Direction::input);
  if (!written || !read || read->uses.empty()) return;
  if (options.portable && passes_distances(*read)) return;
  const std::vector<Proxy> proxies = give_locations(link, *written, *read);
  if (proxies.empty()) return;
  varyings::replace_built_ins(producer.module, producer.entry, Direction::output, *written, proxies);
  varyings::replace_built_ins(consumer.module, consumer.entry, Direction::input, *read, proxies);
  for (const Proxy& proxy : proxies) add_proxy(link, proxy, {varyings::ScalarKind::floating, 32});
}

void find_idle_built_ins(Link& link) {
  if (!link.has_proxies(Proxy::Stands::for_built_in)) return;
  const LinkedStage& consumer = *link.consumers.front();
  const link::StoreTable table(*link.producers.front());
  const spirv::Uses uses(consumer.module);
  for (Proxy& each : link.proxies)
    for (std::uint32_t c = 0; c < each.count && each.stands == Proxy::Stands::for_built_in; ++c) {
      const Varying* input = link::find_varying(consumer.inputs, each.slot_of(c));
      if (input && !varyings::accesses_of(consumer.module, uses, input->variable).accesses.empty()) continue;
      const link::SlotStores* stores = table.find(each.slot_of(c));
      const auto is_computed = [](const link::SlotStore& store) {
        return store.value.kind == link::ScalarValue::Kind::computed;
      };
      if (!stores || std::none_of(stores->stores.begin(), stores->stores.end(), is_computed)) each.idle.push_back(c);
    }
}

void restore_proxied_built_ins(Link& link) {
  if (!link.has_proxies(Proxy::Stands::for_built_in)) return;
  for (const Proxy& each : link.proxies)
    if (each.stands == Proxy::Stands::for_built_in) remark(link, each);
  const std::vector<Proxy> proxies = take_proxies(link, Proxy::Stands::for_built_in);
  const std::vector<varyings::PackedVariable> vectors = vectors_of(link, proxies);
  restore_side(*link.producers.front(), Direction::output, proxies, vectors);
  restore_side(*link.consumers.front(), Direction::input, proxies, vectors);
}

}  // namespace varylink::link
