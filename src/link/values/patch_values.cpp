#include "link/values/patch_values.h"

#include <algorithm>

#include "base/seeded_fault.h"
#include "spirv/ir/globals.h"

namespace varylink::link {
namespace {

using graph::Ref;
using graph::Value;
using graph::ValueId;
using graph::ValueKind;
using spirv::Id;
using spirv::InstRef;

bool has_mode(const spirv::Module& module, spv::ExecutionMode mode) {
  return std::any_of(module.execution_modes.begin(), module.execution_modes.end(), [&](InstRef inst) {
    return static_cast<spv::ExecutionMode>(module.operand(inst, 1).word) == mode;
  });
}

}  // namespace

bool has_triangles(const Link& link) {
  const LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  if (consumer.stage != Stage::tess_eval) return false;
  if (seeded_fault("manual-sum-in-any-domain")) return true;
  return has_mode(consumer.module, spv::ExecutionMode::Triangles) ||
         (producer.stage == Stage::tess_control && has_mode(producer.module, spv::ExecutionMode::Triangles));
}

Id find_tess_coord(const LinkedStage& stage) {
  const auto found = std::find_if(stage.entry.interface.begin(), stage.entry.interface.end(), [&](Id variable) {
    const auto built_in = varyings::decorations_of(stage.module, variable).value(spv::Decoration::BuiltIn);
    return built_in == static_cast<std::uint32_t>(spv::BuiltIn::TessCoord);
  });
  return found == stage.entry.interface.end() ? 0 : *found;
}

std::optional<std::uint32_t> patch_vertex(const spirv::Module& module, Id index) {
  const auto value = varyings::constant_int(module, index);
  return value && *value >= 0 && *value < kMostVertices ? std::optional(static_cast<std::uint32_t>(*value))
                                                        : std::nullopt;
}

PatchValues::PatchValues(const LinkedStage& stage, Id tess_coord)
    : ValueReader(stage.module, *stage.module.function(stage.entry.function)), tess_coord_(tess_coord) {
  const spirv::Uses uses(stage.module);
  for (const varyings::PointerAccess& access : varyings::accesses_of(module_, uses, tess_coord).accesses)
    coords_[access.inst] =
        access.indices.empty() ? 0 : patch_vertex(module_, access.indices.front()).value_or(kTriangle);
}

void PatchValues::add_input(Id variable, const varyings::VariableAccesses& accesses) {
  known_inputs_.insert(variable);
  for (const varyings::PointerAccess& access : accesses.accesses)
    loads_[access.inst] = {variable, *patch_vertex(module_, access.indices.front())};
}

bool PatchValues::is_input(ValueId id) const {
  const Value& value = graph_[id];
  return value.kind == ValueKind::leaf && known_inputs_.count(value.words[0]) != 0;
}

bool PatchValues::is_barycentric(ValueId id) const {
  const Value& value = graph_[id];
  return value.kind == ValueKind::leaf && value.words[0] == tess_coord_;
}

Ref PatchValues::leaf(Id id, std::uint32_t component, varyings::ScalarType type) {
  Value value;
  value.type = type;
  value.words = {id, component};
  const InstRef inst = module_.def(id);
  if (const auto load = loads_.find(inst); load != loads_.end())
    value.words = {load->second.first, load->second.second};
  else if (const auto coord = coords_.find(inst); coord != coords_.end() && coord->second + component < kTriangle)
    value.words = {tess_coord_, coord->second + component};
  return graph_.intern(std::move(value));
}

Ref PatchValues::constant(varyings::ScalarType type, std::vector<std::uint32_t> bits) {
  return graph_.constant(type, std::move(bits));
}

Ref PatchValues::resource(varyings::ScalarType type, const graph::ResourceKey& key) {
  return graph_.intern(graph::value_of(type, key));
}

Ref PatchValues::operation(const graph::ScalarOperation& operation) {
  return graph_.intern(graph::value_of(operation));
}

void PatchValues::finish(InstRef inst, std::vector<Ref>& refs) {
  const Id result = module_[inst].result;
  const varyings::ScalarType type =
      varyings::scalar_type_of(module_, module_[inst].type).value_or(varyings::ScalarType{});
  for (std::uint32_t i = 0; i < refs.size(); ++i)  // code that nothing reaches may use what comes later
    if (refs[i] == graph::kNoRef) refs[i] = leaf(result, i, type);
  const Value& first = graph_[refs.front()];
  results_.push_back({inst, result, first.kind == ValueKind::leaf && first.words.front() == result});
}

}  // namespace varylink::link
