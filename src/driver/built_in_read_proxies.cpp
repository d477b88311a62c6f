#include "driver/built_in_read_proxies.h"

#include <algorithm>
#include <set>

#include "driver/proxies.h"
#include "spirv/ir/globals.h"
#include "varyings/scalarize/built_in_read_proxies.h"

namespace varylink::driver {
namespace {

using link::Link;
using link::LinkedStage;
using spirv::Module;
using varyings::BuiltInProxy;
using varyings::Direction;
using varyings::Varying;

// Built-ins that are written in front of the rasterizer or the tessellator, and may be read behind it.
std::set<spv::BuiltIn> kinds_of(const Link& link) {
  const LinkedStage& producer = *link.producers.front();
  switch (link.consumers.front()->stage) {
    case Stage::fragment:  // rule
      if (producer.stage == Stage::mesh || producer.module.has_capability(spv::Capability::GeometryStreams)) return {};
      return {spv::BuiltIn::ClipDistance, spv::BuiltIn::CullDistance, spv::BuiltIn::Layer, spv::BuiltIn::ViewportIndex,
              spv::BuiltIn::PrimitiveId};
    case Stage::tess_eval: return {spv::BuiltIn::TessLevelOuter, spv::BuiltIn::TessLevelInner};
    default: return {};
  }
}

// Number and type of the scalars of a built-in.
std::pair<std::uint32_t, std::optional<varyings::ScalarType>> numbers_of(const Module& module, spirv::Id type) {
  if (module.def_op(type) != spv::Op::OpTypeArray) return {1, varyings::scalar_type_of(module, type)};
  return {varyings::array_length(module, type).value_or(0),
          varyings::scalar_type_of(module, spirv::element_type(module, type))};
}

void add_records(Link& link, const BuiltInProxy& proxy, varyings::ScalarType type) {
  for (std::uint32_t i = 0; i < proxy.count; ++i) {
    link::ComponentRecord record;
    record.old_slot = proxy.slot_of(i);
    record.new_slot = record.old_slot;
    record.producer_name = record.consumer_name = proxy.component_name(record.old_slot);
    record.type = varyings::text(type);
    link.report.components.push_back(std::move(record));
  }
  link.forget_record_places();
}

void remark_read_proxy(Link& link, const BuiltInProxy& proxy) {
  for (std::uint32_t i = 0; i < proxy.count; ++i) {
    const link::ComponentRecord* record = link.record(proxy.slot_of(i));
    // That nobody reads an element is known without a proxy.
    if (!record || record->outcome == link::Outcome::kept || record->outcome == link::Outcome::dead) continue;
    link.unrecorded_change = true;
    link.remarks.push_back({std::string(pass_behind(record->outcome)), std::string(short_name(link.report.consumer)),
                            record->producer_name + " is not read any more: " + record->reason});
  }
}

}  // namespace

void add_built_in_read_proxies(Link& link) {
  if (!link.closed || link.is_shared() || link.consumers.empty()) return;
  LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  const std::set<spv::BuiltIn> kinds = kinds_of(link);
  const auto read = varyings::uses_for_read_proxies(consumer.module, consumer.entry, Direction::input, kinds);
  if (read.empty()) return;
  const auto written = varyings::uses_for_read_proxies(producer.module, producer.entry, Direction::output, kinds);
  std::uint32_t location = first_free_location(link);
  for (const auto& [kind, reads] : read) {
    const auto stores = written.find(kind);
    if (stores == written.end()) continue;
    const spirv::Id type = stores->second.declared.front().type;
    const auto [count, scalar] = numbers_of(producer.module, type);
    if (count == 0 || !scalar || numbers_of(consumer.module, reads.declared.front().type) != std::pair(count, scalar))
      continue;
    const BuiltInProxy proxy = {kind, location, count, producer.module.def_op(type) == spv::Op::OpTypeArray, {}};
    location += proxy.location_count();
    varyings::add_read_proxy(producer.module, producer.entry, Direction::output, stores->second, proxy);
    varyings::add_read_proxy(consumer.module, consumer.entry, Direction::input, reads, proxy);
    link.built_in_read_proxies.push_back(proxy);
    add_records(link, proxy, *scalar);
  }
}

void mark_built_in_read_proxies(Link& link) {
  if (link.built_in_read_proxies.empty()) return;
  for (auto* side : {&link.producers.front()->outputs, &link.consumers.front()->inputs})
    for (Varying& varying : *side)
      varying.proxy = varying.proxy || link.built_in_read_proxy_at(varying.slot) != nullptr;
}

void remove_built_in_read_proxies(Link& link) {
  if (link.built_in_read_proxies.empty()) return;
  const std::vector<BuiltInProxy> proxies = link.built_in_read_proxies;
  for (const BuiltInProxy& proxy : proxies) remark_read_proxy(link, proxy);
  std::erase_if(link.report.components, [&](const link::ComponentRecord& record) {
    return link.built_in_read_proxy_at(record.old_slot) != nullptr;
  });
  link.forget_record_places();
  LinkedStage& producer = *link.producers.front();
  std::set<varyings::Slot> gone;
  for (const Varying& output : producer.outputs)
    if (link.built_in_read_proxy_at(output.slot)) gone.insert(output.slot);
  link::remove_outputs(producer, gone);
  link.built_in_read_proxies.clear();
  LinkedStage& consumer = *link.consumers.front();
  varyings::read_built_ins(consumer.module, consumer.entry, proxies, consumer.inputs);
}

}  // namespace varylink::driver
