// The consumer reads only the components of a captured output that it needs, constants and duplicates included (rule
//
#include "varyings/scalarize/captured_read_proxies.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "link/model/snapshot.h"
#include "link/scalarize/proxies.h"
#include "link/scalarize/proxy_steps.h"
#include "passes/assign_locations.h"
#include "varyings/reflect/semantics.h"
#include "varyings/scalarize/divide_captured.h"
#include "varyings/scalarize/split_captured.h"
#include "varyings/vectorize/vectorize_io.h"

namespace varylink::link {
namespace {

using link::Link;
using link::LinkedStage;
using varyings::ComponentRun;
using varyings::Direction;
using varyings::InterfaceVariable;
using varyings::Proxy;
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

// The consumer declares something in a location of the output.
bool is_met(const InterfaceVariable& output, const Variables& inputs) {
  return std::any_of(inputs.begin(), inputs.end(), [&](const InterfaceVariable& input) {
    return input.location < output.location + output.location_count &&
           output.location < input.location + input.location_count;
  });
}

// Makes what is read of these components of the proxy one input in the place of `output`, which has them all.
void read_captured(LinkedStage& consumer, const Varying& output, const Proxy& proxy, const ComponentRun& run) {
  std::vector<Varying> scalars = link::reads_of(consumer, proxy);
  std::erase_if(scalars, [&](const Varying& input) { return !run.has(input.slot.component); });
  if (scalars.empty()) return;
  std::erase_if(consumer.inputs,
                [&](const Varying& input) { return proxy.holds(input.slot) && run.has(input.slot.component); });
  Varying input = output;
  input.interpolation = scalars.front().interpolation;
  input.relaxed_precision = scalars.front().relaxed_precision;
  if (scalars.front().form == Varying::Form::scalar) {
    varyings::PackedVariable whole;
    whole.slot = proxy.slot_of(run.first);
    for (std::uint32_t c = run.first; c < run.end(); ++c) whole.members.push_back(proxy.slot_of(c));
    whole.scalar = scalars.front().scalar;
    whole.qualifiers = scalars.front();
    whole.qualifiers.relaxed_precision =
        std::all_of(scalars.begin(), scalars.end(), [](const Varying& scalar) { return scalar.relaxed_precision; });
    whole.name = output.name.empty() ? proxy.name : output.name;
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
  input.variable = varyings::input_at(consumer.module, consumer.entry.inst, proxy.slot_of(run.first));
  varyings::move_variable(consumer.module, input.variable, output.slot);
  consumer.inputs.push_back(std::move(input));
}

void read_whole(Link& link, const std::vector<Proxy>& proxies) {
  for (const Proxy& proxy : proxies)
    if (const Varying* output = link::find_varying(link.producers.front()->outputs, proxy.captured_slot))
      read_captured(*link.consumers.front(), *output, proxy, {0, proxy.count});
}

// Components that are read and components that are not, each in one piece where they are neighbours, or singly.
std::vector<ComponentRun> runs_of(const std::vector<Varying>& read, const Proxy& proxy, bool singly) {
  std::vector<ComponentRun> runs;
  bool was_read = false;
  for (std::uint32_t c = 0; c < proxy.count; ++c) {
    const bool is_read =
        std::any_of(read.begin(), read.end(), [&](const Varying& input) { return input.slot == proxy.slot_of(c); });
    if (singly || runs.empty() || is_read != was_read)
      runs.push_back({c, 1});
    else
      ++runs.back().count;
    was_read = is_read;
  }
  return runs;
}

// Scalars that are some of the proxy's components, or nothing.
bool has_unread_components(const LinkedStage& consumer, const Proxy& proxy) {
  const std::vector<Varying> read = link::reads_of(consumer, proxy);
  return read.size() < proxy.count && (read.empty() || read.front().form == Varying::Form::scalar) &&
         !varyings::may_have_semantics(consumer.module);
}

// Divides captured vectors that the consumer does not read as a whole. False if there are none.
bool read_parts(Link& link, const std::vector<Proxy>& proxies, bool singly) {
  LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  bool any = false;
  for (const Proxy& proxy : proxies) {
    const Varying* found = link::find_varying(producer.outputs, proxy.captured_slot);
    if (!found) continue;
    const std::vector<ComponentRun> runs = runs_of(link::reads_of(consumer, proxy), proxy, singly);
    if (runs.size() == 1 || !has_unread_components(consumer, proxy) ||
        !varyings::may_be_divided(producer.module, producer.entry, *found)) {
      read_captured(consumer, *found, proxy, {0, proxy.count});
      continue;
    }
    any = true;
    const Varying output = *found;
    const auto parts = varyings::divide_captured(producer.module, producer.entry, output, runs);
    std::erase_if(producer.outputs, [&](const Varying& each) { return each.slot == output.slot; });
    producer.outputs.insert(producer.outputs.end(), parts.begin(), parts.end());
    for (std::size_t i = 0; i < runs.size(); ++i) read_captured(consumer, parts[i], proxy, runs[i]);
  }
  return any;
}

// The interface as one way of reading leaves it.
struct ReadWay {
  Snapshot snapshot;
  passes::PackedSize size;

  ReadWay(Link& link, const link::LinkOptions& options) : snapshot({&link}), size(passes::packed_size(link, options)) {}
};

// One of the stages declares fewer locations, and the other no more.
bool is_better(const passes::PackedSize& a, const passes::PackedSize& b) {
  const bool is_no_larger = a.read.locations <= b.read.locations && a.written.locations <= b.written.locations &&
                            a.written.highest_location <= b.written.highest_location;
  return is_no_larger && (a.read.locations < b.read.locations || a.written.locations < b.written.locations);
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
    // What the consumer does not declare may be read in the place of an output with the same value.
    const InterfaceVariable* input = reader_of(output, inputs);
    if (input ? !may_have_proxy(consumer.module, *input) : is_met(output, inputs)) continue;
    const varyings::Leaf& leaf = output.leaves.front();
    Proxy proxy;
    proxy.stands = Proxy::Stands::for_reads_of_captured;
    proxy.location = location++;
    proxy.count = leaf.count;
    proxy.name = output.name.empty() && input ? input->name : output.name;
    proxy.captured_slot = leaf.slot;
    varyings::add_read_proxy(producer.module, producer.entry, output, proxy);
    if (input) varyings::move_variable(consumer.module, input->id, {proxy.location, 0});
    add_proxy(link, std::move(proxy), leaf.scalar);
  }
}

void remove_captured_read_proxies(Link& link, const link::LinkOptions& options) {
  constexpr auto kStands = Proxy::Stands::for_reads_of_captured;
  if (!link.has_proxies(kStands)) return;
  const std::vector<Proxy> proxies = take_read_proxies(link, kStands, " is captured and not read any more: ");
  const LinkedStage& consumer = *link.consumers.front();
  const bool may_divide = std::any_of(proxies.begin(), proxies.end(),
                                      [&](const Proxy& proxy) { return has_unread_components(consumer, proxy); });
  if (!may_divide || options.portable) return read_whole(link, proxies);
  const Snapshot start({&link});
  read_whole(link, proxies);
  std::optional<ReadWay> best(std::in_place, link, options);
  for (const bool singly : {false, true}) {
    start.restore();
    if (!read_parts(link, proxies, singly)) continue;
    ReadWay parts(link, options);
    if (is_better(parts.size, best->size)) best.emplace(std::move(parts));
  }
  best->snapshot.restore();
}

}  // namespace varylink::link
