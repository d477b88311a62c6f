#include "share/position_code.h"

#include <algorithm>
#include <set>
#include <vector>

#include "analysis/built_in_slice.h"
#include "driver/open_stage.h"
#include "prepare/recipes.h"
#include "specialize_state/attribute_components.h"
#include "specialize_state/point_size.h"
#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/canonical_code.h"
#include "spirv/ir/uses.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/variable_code.h"

namespace varylink::share {
namespace {

// Varyings become private variables of the stage: what it reads back of them is a value like others, and the rest has
// no reader.
void forget_varyings(link::LinkedStage& stage) {
  const spirv::Uses uses(stage.module);
  for (const varyings::InterfaceVariable& output :
       varyings::interface_variables(stage.module, stage.entry, varyings::Direction::output)) {
    const varyings::VariableAccesses found = varyings::accesses_of(stage.module, uses, output.id);
    if (found.obstacle) continue;
    varyings::make_private(stage.module, output.id, found);
    std::erase(stage.entry.interface, output.id);
  }
}

std::set<std::uint32_t> attributes_of_position_code(const link::LinkedStage& stage) {
  const spirv::Module& module = stage.module;
  const std::vector<bool> reaches = analysis::reaches_built_in(module, *module.function(stage.entry.function));
  const std::vector<spirv::Place> places = spirv::places_of(module);
  const spirv::Uses uses(module);
  std::set<std::uint32_t> locations;
  for (const varyings::InterfaceVariable& input :
       varyings::interface_variables(module, stage.entry, varyings::Direction::input)) {
    const varyings::VariableAccesses found = varyings::accesses_of(module, uses, input.id);
    const auto is_of_position = [&](const varyings::PointerAccess& access) {
      const spirv::Function& function = module.functions[places[access.inst.index].function];
      return function.result != stage.entry.function || reaches[module[access.inst].result];
    };
    if (!found.obstacle && std::none_of(found.accesses.begin(), found.accesses.end(), is_of_position)) continue;
    for (const varyings::Leaf& leaf : input.leaves) locations.insert(leaf.slot.location);
  }
  return locations;
}

// Known without opening the stage, where its module is there.
bool has_all_components(const link::StageInput& vertex, const state::PipelineState& state) {
  if (!vertex.read) return false;
  const Result<varyings::Entry> entry =
      varyings::find_entry(*vertex.read, vertex.stage, vertex.entry_point, vertex.file);
  return entry && !specialize_state::lacks_attribute_components(*vertex.read, *entry, state);
}

}  // namespace

Result<std::string> position_code(const link::StageInput& input, const spirv::ValidatorOptions& validator,
                                  spirv::ValidWords* valid_words) {
  if (input.stage != Stage::vertex)
    return make_error(ErrorKind::usage, input.file, "only the position code of vertex shaders can be compared");
  Result<link::LinkedStage> stage = driver::open_stage(input.file, input, validator, valid_words);
  if (!stage) return stage.error();
  if (const std::string reason = driver::reason_to_leave_alone(*stage); !reason.empty())
    return make_error(ErrorKind::usage, input.file, reason);
  // What no callee reaches goes at once: most code of a vertex shader is for varyings.
  forget_varyings(*stage);
  specialize_state::drop_point_size(stage->module, stage->entry);  // the size of a point moves none (rule)
  spirv::remove_dead_code(stage->module);
  prepare::run_recipe(prepare::kPrepare, *stage);
  prepare::run_recipe(prepare::kUnroll, *stage);
  forget_varyings(*stage);
  prepare::run_recipe(prepare::kForComparing, *stage);
  return spirv::canonical_code(stage->module, stage->entry.function);
}

Result<state::PipelineState> state_beside_positions(const link::StageInput& vertex, state::PipelineState state,
                                                    const spirv::ValidatorOptions& validator,
                                                    spirv::ValidWords* valid_words) {
  if (state.attribute_formats.empty() || has_all_components(vertex, state)) return state;
  Result<link::LinkedStage> stage = driver::open_stage(vertex.file, vertex, validator, valid_words);
  if (!stage) return stage.error();
  spirv::Module filled = stage->module;
  const bool lacks_none = specialize_state::fill_attribute_components(filled, stage->entry, state).empty();
  if (lacks_none || !driver::reason_to_leave_alone(*stage).empty()) return state;
  prepare::run_recipe(prepare::kPrepare, *stage);
  prepare::run_recipe(prepare::kUnroll, *stage);
  for (const std::uint32_t location : attributes_of_position_code(*stage)) state.attribute_formats.erase(location);
  return state;
}

}  // namespace varylink::share
