#include "driver/built_in_twins.h"

#include <algorithm>
#include <set>

#include "driver/stand_ins.h"
#include "spirv/ir/globals.h"
#include "varyings/scalarize/built_in_twins.h"

namespace varylink::driver {
namespace {

using link::Link;
using link::LinkedStage;
using spirv::Module;
using varyings::Direction;
using varyings::LooseBuiltIn;
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
std::pair<std::uint32_t, std::optional<varyings::ScalarType>> shape_of(const Module& module, spirv::Id type) {
  if (module.def_op(type) != spv::Op::OpTypeArray) return {1, varyings::scalar_type_of(module, type)};
  return {varyings::array_length(module, type).value_or(0),
          varyings::scalar_type_of(module, spirv::element_type(module, type))};
}

void add_records(Link& link, const LooseBuiltIn& twin, varyings::ScalarType type) {
  for (std::uint32_t i = 0; i < twin.count; ++i) {
    link::ComponentRecord record;
    record.old_slot = twin.slot_of(i);
    record.new_slot = record.old_slot;
    record.producer_name = record.consumer_name = twin.component_name(record.old_slot);
    record.type = varyings::text(type);
    link.report.components.push_back(std::move(record));
  }
  link.forget_record_places();
}

void remark_twin(Link& link, const LooseBuiltIn& twin) {
  for (std::uint32_t i = 0; i < twin.count; ++i) {
    const link::ComponentRecord* record = link.record(twin.slot_of(i));
    // That nobody reads an element is known without a twin.
    if (!record || record->outcome == link::Outcome::kept || record->outcome == link::Outcome::dead) continue;
    link.unrecorded_change = true;
    link.remarks.push_back({std::string(pass_behind(record->outcome)), std::string(short_name(link.report.consumer)),
                            record->producer_name + " is not read any more: " + record->reason});
  }
}

}  // namespace

void add_built_in_twins(Link& link) {
  if (!link.closed || link.is_shared() || link.consumers.empty()) return;
  LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  const std::set<spv::BuiltIn> kinds = kinds_of(link);
  const auto read = varyings::uses_for_twins(consumer.module, consumer.entry, Direction::input, kinds);
  if (read.empty()) return;
  const auto written = varyings::uses_for_twins(producer.module, producer.entry, Direction::output, kinds);
  std::uint32_t location = first_free_location(link);
  for (const auto& [kind, reads] : read) {
    const auto stores = written.find(kind);
    if (stores == written.end()) continue;
    const spirv::Id type = stores->second.declared.front().type;
    const auto [count, scalar] = shape_of(producer.module, type);
    if (count == 0 || !scalar || shape_of(consumer.module, reads.declared.front().type) != std::pair(count, scalar))
      continue;
    const LooseBuiltIn twin = {kind, location, count, producer.module.def_op(type) == spv::Op::OpTypeArray, {}};
    location += twin.location_count();
    varyings::add_twin(producer.module, producer.entry, Direction::output, stores->second, twin);
    varyings::add_twin(consumer.module, consumer.entry, Direction::input, reads, twin);
    link.built_in_twins.push_back(twin);
    add_records(link, twin, *scalar);
  }
}

void mark_built_in_twins(Link& link) {
  if (link.built_in_twins.empty()) return;
  for (auto* side : {&link.producers.front()->outputs, &link.consumers.front()->inputs})
    for (Varying& varying : *side)
      varying.stand_in = varying.stand_in || link.built_in_twin_at(varying.slot) != nullptr;
}

void settle_built_in_twins(Link& link) {
  if (link.built_in_twins.empty()) return;
  const std::vector<LooseBuiltIn> twins = link.built_in_twins;
  for (const LooseBuiltIn& twin : twins) remark_twin(link, twin);
  std::erase_if(link.report.components,
                [&](const link::ComponentRecord& record) { return link.built_in_twin_at(record.old_slot) != nullptr; });
  link.forget_record_places();
  LinkedStage& producer = *link.producers.front();
  std::set<varyings::Slot> gone;
  for (const Varying& output : producer.outputs)
    if (link.built_in_twin_at(output.slot)) gone.insert(output.slot);
  link::remove_outputs(producer, gone);
  link.built_in_twins.clear();
  LinkedStage& consumer = *link.consumers.front();
  varyings::read_built_ins(consumer.module, consumer.entry, twins, consumer.inputs);
}

}  // namespace varylink::driver
