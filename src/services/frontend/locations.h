// Locations for GLSL varyings that the source gives none: the same one in every stage, by name.
//
// GLSL compilers number such variables per stage, so that two stages that declare different sets disagree. Here all
// stages of a pipeline are numbered together, on their SPIR-V.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "spirv/ir/module.h"
#include "spirv/ir/stage.h"

namespace varylink::frontend {

// A user-defined Input or Output variable of an entry point.
struct Varying {
  static constexpr std::uint32_t kNoOrder = 0xffffffffu;

  spirv::Id id = 0;
  std::string key;  // has to match across stages: the variable's name; for a block "block " and the block's name
  std::uint32_t count = 1;                                     // consecutive locations it needs
  std::optional<std::uint32_t> location;                       // lowest declared location
  std::vector<std::pair<std::uint32_t, std::uint32_t>> taken;  // (first, count) of every declared place

  bool located() const { return location.has_value(); }
};

struct Varyings {
  std::vector<Varying> inputs, outputs;
};

// The varyings of the entry point of `stage` called `entry_point` (empty: the first of that stage), in the order of its
// interface. Built-in variables and blocks are left out.
Varyings varyings_of(const spirv::Module& module, Stage stage, const std::string& entry_point = {});

struct StageToLocate {
  Stage stage = Stage::vertex;
  std::string entry_point;
  spirv::Module* module = nullptr;           // gets Location decorations where they are missing
  std::vector<std::string> inputs, outputs;  // keys without a location, in declaration order
};

// Gives every variable without a location one. `stages` are in pipeline order.
//
// Guarantees: a variable that already has a location keeps it; an output and an input of the next stage with the same
// key get the same location, also if only one of them had one; no two variables of one interface overlap because of a
// location given here; the result depends on names and declaration order only.
void assign_locations(std::span<StageToLocate> stages);

}  // namespace varylink::frontend
