#include "link/scalarize/proxies.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "link/scalarize/proxy_steps.h"

namespace varylink::link {

using link::Link;
using varyings::Proxy;

void add_proxies(Link& link, const link::LinkOptions& options) {
  replace_built_ins(link, options);
  add_built_in_read_proxies(link);
  add_captured_read_proxies(link);
}

void mark_proxies(Link& link) {
  if (link.proxies.empty()) return;
  for (auto* side : {&link.producers.front()->outputs, &link.consumers.front()->inputs})
    for (varyings::Varying& varying : *side) varying.proxy = varying.proxy || link.proxy_at(varying.slot) != nullptr;
}

std::uint32_t first_free_location(const Link& link) {
  std::uint32_t end = 0;
  const auto add = [&](const link::LinkedStage& stage, varyings::Direction direction) {
    for (const auto& variable : varyings::interface_variables(stage.module, stage.entry, direction))
      end = std::max(end, variable.location + variable.location_count);
  };
  add(*link.producers.front(), varyings::Direction::output);
  add(*link.consumers.front(), varyings::Direction::input);
  return end;
}

void add_proxy(Link& link, Proxy proxy, varyings::ScalarType type) {
  for (std::uint32_t i = 0; i < proxy.count; ++i) {
    link::ComponentRecord record;
    record.old_slot = proxy.slot_of(i);
    record.new_slot = record.old_slot;
    record.producer_name = record.consumer_name = proxy.component_name(record.old_slot);
    record.type = varyings::text(type);
    link.report.components.push_back(std::move(record));
  }
  link.forget_record_places();
  link.proxies.push_back(std::move(proxy));
}

std::string_view pass_behind(link::Outcome outcome) {
  switch (outcome) {
    case link::Outcome::constant: return "propagate-constants";
    case link::Outcome::uniform: return "propagate-uniforms";
    case link::Outcome::duplicate: return "dedup-outputs";
    default: return "remove-dead-built-ins";
  }
}

std::vector<Proxy> take_proxies(Link& link, Proxy::Stands stands) {
  std::vector<Proxy> taken;
  std::erase_if(link.report.components,
                [&](const link::ComponentRecord& record) { return link.proxy_at(record.old_slot, stands) != nullptr; });
  link.forget_record_places();
  std::erase_if(link.proxies, [&](const Proxy& proxy) {
    if (proxy.stands == stands) taken.push_back(proxy);
    return proxy.stands == stands;
  });
  return taken;
}

std::vector<Proxy> take_read_proxies(Link& link, Proxy::Stands stands, std::string_view gone) {
  for (const Proxy& proxy : link.proxies) {
    if (proxy.stands != stands) continue;
    for (std::uint32_t i = 0; i < proxy.count; ++i) {
      const link::ComponentRecord* record = link.record(proxy.slot_of(i));
      // That nobody reads an element is known without a proxy.
      if (!record || record->outcome == link::Outcome::kept || record->outcome == link::Outcome::dead) continue;
      link.unrecorded_change = true;
      link.remarks.push_back({std::string(pass_behind(record->outcome)), std::string(short_name(link.report.consumer)),
                              record->producer_name + std::string(gone) + record->reason});
    }
  }
  link::LinkedStage& producer = *link.producers.front();
  std::set<varyings::Slot> outputs;
  for (const varyings::Varying& output : producer.outputs)
    if (link.proxy_at(output.slot, stands)) outputs.insert(output.slot);
  link::remove_outputs(producer, outputs);
  return take_proxies(link, stands);
}

}  // namespace varylink::link
