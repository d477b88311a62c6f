#include "specialize_state/point_size.h"

#include <vector>

#include "spirv/ir/globals.h"
#include "spirv/ir/memory_operands.h"
#include "spirv/ir/uses.h"
#include "varyings/reflect/built_ins.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::specialize_state {
namespace {

using state::PipelineState;
using varyings::PointerAccess;

enum class Primitives { unknown, lines, triangles };

bool has_mode(const spirv::Module& module, const varyings::Entry& entry, spv::ExecutionMode mode) {
  for (const spirv::InstRef inst : module.execution_modes)
    if (module.operand(inst, 0).word == entry.function &&
        module.operand(inst, 1).word == static_cast<std::uint32_t>(mode))
      return true;
  return false;
}

// An evaluation stage does not tell: PointMode may stand in the control stage.
Primitives primitives_of(const spirv::Module& module, const varyings::Entry& entry, const PipelineState& state) {
  const auto has = [&](spv::ExecutionMode mode) { return has_mode(module, entry, mode); };
  switch (entry.stage) {
    case Stage::vertex:
      if (state.topology == state::Topology::lines) return Primitives::lines;
      return state.topology == state::Topology::triangles ? Primitives::triangles : Primitives::unknown;
    case Stage::geometry:
      if (has(spv::ExecutionMode::OutputLineStrip)) return Primitives::lines;
      return has(spv::ExecutionMode::OutputTriangleStrip) ? Primitives::triangles : Primitives::unknown;
    case Stage::mesh:
      if (has(spv::ExecutionMode::OutputLinesEXT)) return Primitives::lines;
      return has(spv::ExecutionMode::OutputTrianglesEXT) ? Primitives::triangles : Primitives::unknown;
    default: return Primitives::unknown;
  }
}

// The part of a variable with PointSize that an access reaches.
enum class Reach { point_size, other, both };

Reach reach_of(const spirv::Module& module, const varyings::BuiltIn& place, std::vector<spirv::Id> indices,
               bool arrayed) {
  if (!place.member) return Reach::point_size;
  if (arrayed && !indices.empty()) indices.erase(indices.begin());
  if (indices.empty()) return Reach::both;
  const auto member = spirv::constant_int(module, indices.front());
  if (!member) return Reach::both;
  return *member == std::int64_t{*place.member} ? Reach::point_size : Reach::other;
}

// The stores to PointSize alone; none if anything reads it or is not understood.
std::vector<spirv::InstRef> stores_to(const spirv::Module& module, const varyings::Entry& entry,
                                      const varyings::BuiltIn& place) {
  const varyings::VariableAccesses found = varyings::accesses_of(module, spirv::Uses(module), place.variable);
  if (found.obstacle) return {};
  std::vector<spirv::InstRef> stores;
  for (const PointerAccess& access : found.accesses) {
    const Reach reach = reach_of(module, place, access.indices, entry.stage == Stage::mesh);
    if (reach == Reach::other) continue;
    if (access.kind != PointerAccess::Kind::store) return {};
    if (reach == Reach::point_size && spirv::is_plain_store(module, access.inst)) stores.push_back(access.inst);
  }
  return stores;
}

}  // namespace

std::optional<PipelineState> draws_no_points(const spirv::Module& module, const varyings::Entry& entry,
                                             const PipelineState& state) {
  const Primitives primitives = primitives_of(module, entry, state);
  if (primitives == Primitives::unknown) return std::nullopt;
  PipelineState reason;
  if (entry.stage == Stage::vertex) reason.topology = state.topology;
  if (primitives == Primitives::lines) return reason;
  if (state.polygon_mode == state::PolygonMode::unknown || state.polygon_mode == state::PolygonMode::point)
    return std::nullopt;
  reason.polygon_mode = state.polygon_mode;
  return reason;
}

bool drop_point_size(spirv::Module& module, const varyings::Entry& entry) {
  if (entry.captures) return false;
  bool found = false;
  for (const varyings::BuiltIn& place : varyings::built_ins(module, entry, varyings::Direction::output)) {
    if (place.kind != spv::BuiltIn::PointSize) continue;
    for (const spirv::InstRef store : stores_to(module, entry, place)) {
      module.kill(store);
      found = true;
    }
  }
  module.sweep();
  return found;
}

}  // namespace varylink::specialize_state
