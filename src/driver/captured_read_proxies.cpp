#include "driver/captured_read_proxies.h"

#include <algorithm>

#include "driver/proxies.h"
#include "varyings/scalarize/split_captured.h"
#include "varyings/vectorize/vectorize_io.h"

namespace varylink::driver {
namespace {

using link::Link;
using link::LinkedStage;
using varyings::CapturedReadProxy;
using varyings::Direction;
using varyings::InterfaceVariable;
using varyings::Slot;
using varyings::Varying;

using Variables = std::vector<InterfaceVariable>;

bool may_have_proxies(const Link& link) {
  return link.closed && !link.is_shared() && link.consumer_interpolates() && !link.consumers.empty() &&
         link.producers.front()->entry.captures;
}

// The only input that has components of the output, if it has all of them and no others.
const InterfaceVariable* reader_of(const InterfaceVariable& output, const Variables& inputs) {
  const varyings::Leaf& wanted = output.leaves.front();
  const InterfaceVariable* found = nullptr;
  for (const InterfaceVariable& input : inputs) {
    if (wanted.slot.location < input.location || wanted.slot.location >= input.location + input.location_count)
      continue;
    const bool is_one_leaf = input.leaves.size() == 1 && !input.unsupported;
    // Another variable in the same location.
    if (is_one_leaf && (input.leaves.front().slot_of(input.leaves.front().count - 1) < wanted.slot ||
                        wanted.slot_of(wanted.count - 1) < input.leaves.front().slot))
      continue;
    if (found || !is_one_leaf) return nullptr;
    found = &input;
  }
  if (!found) return nullptr;
  const varyings::Leaf& leaf = found->leaves.front();
  const bool is_like = leaf.slot == wanted.slot && leaf.count == wanted.count && leaf.scalar == wanted.scalar;
  return is_like ? found : nullptr;
}

void add_records(Link& link, const CapturedReadProxy& proxy, const std::string& type) {
  for (std::uint32_t c = 0; c < proxy.count; ++c) {
    link::ComponentRecord record;
    record.old_slot = proxy.proxy_of(c);
    record.new_slot = record.old_slot;
    record.producer_name = record.consumer_name = proxy.component_name(record.old_slot);
    record.type = type;
    link.report.components.push_back(std::move(record));
  }
  link.forget_record_places();
}

void remark(Link& link, const CapturedReadProxy& proxy) {
  for (std::uint32_t c = 0; c < proxy.count; ++c) {
    const link::ComponentRecord* record = link.record(proxy.proxy_of(c));
    // That nobody reads a component is known without a proxy.
    if (!record || record->outcome == link::Outcome::kept || record->outcome == link::Outcome::dead) continue;
    link.unrecorded_change = true;
    link.remarks.push_back({std::string(pass_behind(record->outcome)), std::string(short_name(link.report.consumer)),
                            record->producer_name + " is captured and not read any more: " + record->reason});
  }
}

// Makes the scalars of the proxy one input in the place of the captured output.
void read_captured(LinkedStage& consumer, const Varying& output, const CapturedReadProxy& proxy) {
  std::vector<Varying> scalars;
  std::erase_if(consumer.inputs, [&](const Varying& input) {
    if (!proxy.holds(input.slot)) return false;
    scalars.push_back(input);
    return true;
  });
  if (scalars.empty()) return;
  Varying input = output;
  input.interpolation = scalars.front().interpolation;
  input.relaxed_precision = scalars.front().relaxed_precision;
  if (scalars.front().form == Varying::Form::scalar) {
    varyings::PackedVariable whole;
    whole.slot = {proxy.location, 0};
    for (std::uint32_t c = 0; c < proxy.count; ++c) whole.members.push_back(proxy.proxy_of(c));
    whole.scalar = scalars.front().scalar;
    whole.qualifiers = scalars.front();
    whole.qualifiers.relaxed_precision =
        std::all_of(scalars.begin(), scalars.end(), [](const Varying& scalar) { return scalar.relaxed_precision; });
    whole.name = proxy.name;
    const std::vector<varyings::PackedVariable> packed = {whole};
    const std::map<Slot, Slot> nothing_is_placed;
    varyings::VectorizeRequest request;
    request.direction = Direction::input;
    request.varyings = &scalars;
    request.packed = &packed;
    request.placement = &nothing_is_placed;
    request.interpolates = true;
    varyings::vectorize_io(consumer.module, consumer.entry, request);
  }
  input.variable = varyings::input_at(consumer.module, consumer.entry.inst, proxy);
  varyings::move_variable(consumer.module, input.variable, output.slot);
  consumer.inputs.push_back(std::move(input));
}

}  // namespace

void split_captured_outputs(Link& link) {
  if (!may_have_proxies(link)) return;
  LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  varyings::split_captured(producer.module, producer.entry, consumer.module, consumer.entry);
}

void add_captured_read_proxies(Link& link) {
  if (!may_have_proxies(link)) return;
  LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  const Variables outputs = varyings::interface_variables(producer.module, producer.entry, Direction::output);
  const Variables inputs = varyings::interface_variables(consumer.module, consumer.entry, Direction::input);
  std::uint32_t location = first_free_location(link);
  for (const InterfaceVariable& output : outputs) {
    if (!may_have_proxy(producer.module, output)) continue;
    const InterfaceVariable* input = reader_of(output, inputs);
    if (!input || !may_have_proxy(consumer.module, *input)) continue;
    const varyings::Leaf& leaf = output.leaves.front();
    const CapturedReadProxy proxy = {location++, leaf.slot, leaf.count,
                                     output.name.empty() ? input->name : output.name};
    varyings::add_read_proxy(producer.module, producer.entry, output, proxy);
    varyings::move_variable(consumer.module, input->id, {proxy.location, 0});
    link.captured_read_proxies.push_back(proxy);
    add_records(link, proxy, varyings::text(leaf.scalar));
  }
}

void mark_captured_read_proxies(Link& link) {
  if (link.captured_read_proxies.empty()) return;
  for (auto* side : {&link.producers.front()->outputs, &link.consumers.front()->inputs})
    for (Varying& varying : *side)
      varying.proxy = varying.proxy || link.captured_read_proxy_at(varying.slot) != nullptr;
}

void remove_captured_read_proxies(Link& link) {
  if (link.captured_read_proxies.empty()) return;
  const std::vector<CapturedReadProxy> proxies = link.captured_read_proxies;
  for (const CapturedReadProxy& proxy : proxies) remark(link, proxy);
  std::erase_if(link.report.components, [&](const link::ComponentRecord& record) {
    return link.captured_read_proxy_at(record.old_slot) != nullptr;
  });
  link.forget_record_places();
  LinkedStage& producer = *link.producers.front();
  std::set<Slot> gone;
  for (const Varying& output : producer.outputs)
    if (link.captured_read_proxy_at(output.slot)) gone.insert(output.slot);
  link::remove_outputs(producer, gone);
  link.captured_read_proxies.clear();
  for (const CapturedReadProxy& proxy : proxies)
    if (const Varying* output = link::find_varying(producer.outputs, proxy.slot))
      read_captured(*link.consumers.front(), *output, proxy);
}

}  // namespace varylink::driver
