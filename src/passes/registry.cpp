#include <array>

#include "passes/affine_rank.h"
#include "passes/dedup_outputs.h"
#include "passes/densify_arrays.h"
#include "passes/equal_elements.h"
#include "passes/move_across.h"
#include "passes/pack_slots.h"
#include "passes/pass.h"
#include "passes/propagate_constants.h"
#include "passes/propagate_uniforms.h"
#include "passes/remove_dead_built_ins.h"
#include "passes/remove_dead_varyings.h"
#include "passes/share_choices.h"
#include "passes/sum_weights.h"
#include "passes/tabulate_constants.h"
#include "passes/trim_arrays.h"
#include "passes/trim_payload.h"

namespace varylink::passes {
namespace {

constexpr std::array kPasses = {
    PassInfo{.name = "remove-dead-varyings",
             .run = remove_dead_varyings,
             .summary = "remove components that nobody reads",
             .level = link::Level::exact,
             .makes_constants = true,
             .takes_sets = true},
    PassInfo{.name = "remove-dead-built-ins",
             .run = remove_dead_built_ins,
             .summary = "remove built-in outputs that nobody reads, in front of other stages than the fragment stage",
             .level = link::Level::exact,
             .takes_sets = true},
    PassInfo{.name = "trim-payload",
             .run = trim_payload,
             .summary = "remove dead and constant members of the task payload",
             .level = link::Level::exact,
             .makes_constants = true,
             .takes_sets = true},
    PassInfo{.name = "read-first-element",
             .run = read_first_element,
             .summary = "read the first element of arrays whose elements are all the same",
             .level = link::Level::exact},
    PassInfo{.name = "tabulate-constants",
             .run = tabulate_constants,
             .summary = "give the consumer a table of the constants that fill an array",
             .level = link::Level::exact,
             .makes_constants = true,
             .takes_sets = true},
    PassInfo{.name = "trim-arrays",
             .run = trim_arrays,
             .summary = "narrow the vectors of dynamically indexed arrays",
             .level = link::Level::exact,
             .takes_sets = true},
    PassInfo{.name = "propagate-constants",
             .run = propagate_constants,
             .summary = "give the consumer constants that every store writes",
             .level = link::Level::exact,
             .makes_constants = true,
             .takes_sets = true},
    PassInfo{.name = "propagate-uniforms",
             .run = propagate_uniforms,
             .summary = "let the consumer evaluate uniform expressions itself",
             .level = link::Level::exact,
             .takes_sets = true},
    PassInfo{.name = "sum-weights",
             .run = sum_weights,
             .summary = "interpolate no value with itself in an evaluation shader",
             .level = link::Level::motion,
             .makes_constants = true},
    PassInfo{.name = "dedup-outputs",
             .run = dedup_outputs,
             .summary = "merge components that always carry the same value",
             .level = link::Level::exact,
             .takes_sets = true},
    PassInfo{.name = "move-across",
             .run = move_across,
             .summary = "move code across the interface where fewer values then cross it",
             .level = link::Level::motion,
             .phase = 1},
    PassInfo{.name = "share-choices",
             .run = share_choices,
             .summary = "send one weight where components choose alike between two uniforms",
             .level = link::Level::motion,
             .phase = 1},
    PassInfo{.name = "affine-rank",
             .run = affine_rank,
             .summary = "send fewer components where others are affine combinations of them",
             .level = link::Level::motion,
             .phase = 1},
    PassInfo{.name = "densify-arrays",
             .run = densify_arrays,
             .summary = "declare dynamically indexed arrays as arrays of wider vectors, in fewer locations",
             .level = link::Level::exact,
             .places = true},
    PassInfo{.name = "pack-slots",
             .run = pack_slots,
             .summary = "place what is left into as few locations as possible",
             .level = link::Level::exact,
             .places = true,
             .takes_sets = true},
};

}  // namespace

std::span<const PassInfo> registry() { return kPasses; }

const PassInfo* find_pass(std::string_view name) {
  for (const PassInfo& pass : kPasses)
    if (pass.name == name) return &pass;
  return nullptr;
}

}  // namespace varylink::passes
