#include <array>

#include "passes/dedup_outputs.h"
#include "passes/pack_slots.h"
#include "passes/pass.h"
#include "passes/propagate_constants.h"
#include "passes/remove_dead_varyings.h"
#include "passes/trim_arrays.h"

namespace varylink::passes {
namespace {

constexpr std::array kPasses = {
    PassInfo{"remove-dead-varyings", remove_dead_varyings, "remove components that nobody reads", link::Level::exact,
             true},
    PassInfo{"trim-arrays", trim_arrays, "narrow the vectors of dynamically indexed arrays", link::Level::exact},
    PassInfo{"propagate-constants", propagate_constants, "give the consumer constants that every store writes",
             link::Level::exact, true},
    PassInfo{"dedup-outputs", dedup_outputs, "merge components that always carry the same value", link::Level::exact},
    PassInfo{"pack-slots", pack_slots, "place what is left into as few locations as possible", link::Level::exact,
             false, true},
};

}  // namespace

std::span<const PassInfo> registry() { return kPasses; }

const PassInfo* find_pass(std::string_view name) {
  for (const PassInfo& pass : kPasses)
    if (pass.name == name) return &pass;
  return nullptr;
}

}  // namespace varylink::passes
