#include <algorithm>
#include <array>

#include "passes/assign_locations.h"
#include "passes/dedup_outputs.h"
#include "passes/eliminate_affine_dependencies.h"
#include "passes/inter_stage_code_motion.h"
#include "passes/narrow_array_elements.h"
#include "passes/pack_16_bit_pairs.h"
#include "passes/pass.h"
#include "passes/propagate_constants.h"
#include "passes/propagate_uniforms.h"
#include "passes/read_own_outputs.h"
#include "passes/remove_dead_built_ins.h"
#include "passes/remove_dead_varyings.h"
#include "passes/remove_primitive_id.h"
#include "passes/repack_arrays.h"
#include "passes/share_select_weights.h"
#include "passes/shrink_task_payload.h"

namespace varylink::passes {
namespace {

constexpr std::array kPasses = {
    PassInfo{.name = "read-own-outputs",
             .run = read_own_outputs,
             .summary = "give a control stage what it knows of the outputs that it loads",
             .level = link::Level::exact,
             .takes_sets = true},
    PassInfo{.name = "remove-dead-varyings",
             .run = remove_dead_varyings,
             .summary = "remove components that nobody reads",
             .level = link::Level::exact,
             .breaks = {link::Property::no_new_constants},
             .only_removes = true,
             .takes_sets = true},
    PassInfo{.name = "remove-dead-built-ins",
             .run = remove_dead_built_ins,
             .summary = "remove built-in outputs that nobody reads, in front of other stages than the fragment stage",
             .level = link::Level::exact,
             .only_removes = true,
             .takes_sets = true},
    PassInfo{.name = "shrink-task-payload",
             .run = shrink_task_payload,
             .summary = "remove members of the task payload that nobody reads",
             .level = link::Level::exact,
             .only_removes = true,
             .takes_sets = true,
             .former_name = "trim-payload"},
    PassInfo{.name = "narrow-array-elements",
             .run = narrow_array_elements,
             .summary = "narrow the vectors of dynamically indexed arrays",
             .level = link::Level::exact,
             .takes_sets = true,
             .former_name = "trim-arrays"},
    PassInfo{.name = "propagate-constants",
             .run = propagate_constants,
             .summary = "give the consumer constants that every store writes",
             .level = link::Level::exact,
             .breaks = {link::Property::no_new_constants},
             .takes_sets = true},
    PassInfo{.name = "propagate-uniforms",
             .run = propagate_uniforms,
             .summary = "let the consumer evaluate uniform expressions itself",
             .level = link::Level::exact,
             .takes_sets = true},
    PassInfo{.name = "dedup-outputs",
             .run = dedup_outputs,
             .summary = "merge components that always carry the same value",
             .level = link::Level::exact,
             .takes_sets = true},
    PassInfo{.name = "inter-stage-code-motion",
             .run = inter_stage_code_motion,
             .summary = "move code across the interface where fewer values then cross it",
             .level = link::Level::motion,
             .phase = 1,
             .former_name = "move-across"},
    PassInfo{.name = "share-select-weights",
             .run = share_select_weights,
             .summary = "send one weight where components choose alike between two uniforms",
             .level = link::Level::motion,
             .phase = 1,
             .former_name = "share-choices"},
    PassInfo{.name = "eliminate-affine-dependencies",
             .run = eliminate_affine_dependencies,
             .summary = "send fewer components where others are affine combinations of them",
             .level = link::Level::motion,
             .phase = 1,
             .former_name = "affine-rank"},
    PassInfo{.name = "remove-primitive-id",
             .run = remove_primitive_id,
             .summary = "remove the primitive id of a geometry stage that no fragment stage reads",
             .level = link::Level::exact,
             .places = true,
             .takes_sets = true},
    PassInfo{.name = "repack-arrays",
             .run = repack_arrays,
             .summary = "declare dynamically indexed arrays as arrays of wider vectors, in fewer locations",
             .level = link::Level::exact,
             .places = true,
             .former_name = "densify-arrays"},
    PassInfo{.name = "pack-16-bit-pairs",
             .run = pack_16_bit_pairs,
             .summary = "send two components of 16 bits as one of 32, where nothing is interpolated",
             .level = link::Level::exact,
             .places = true},
    PassInfo{.name = "assign-locations",
             .run = assign_locations,
             .summary = "place what is left into as few locations as possible",
             .level = link::Level::exact,
             .places = true,
             .takes_sets = true,
             .former_name = "pack-slots"},
};

}  // namespace

std::span<const PassInfo> registry() { return kPasses; }

const PassInfo* find_pass(std::string_view name) {
  for (const PassInfo& pass : kPasses)
    if (pass.name == name || (!pass.former_name.empty() && pass.former_name == name)) return &pass;
  return nullptr;
}

bool is_chosen(const link::LinkOptions& options, std::string_view name) {
  const PassInfo* pass = find_pass(name);
  if (options.passes.empty()) return pass->level <= options.level;
  return std::any_of(options.passes.begin(), options.passes.end(),
                     [&](const std::string& each) { return find_pass(each) == pass; });
}

}  // namespace varylink::passes
