// All of SPIR-V besides instructions: decorations, execution modes and built-ins, each with its treatment in proofs.
// Anything not in the list has no reading, so that nothing is proved about a module that has it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "spirv/ir/module.h"

namespace varylink::prove {

enum class Observed : std::uint8_t { decoration, execution_mode, built_in };

enum class Treatment : std::uint8_t {
  compared,    // a linked pipeline with another one is not proved
  permission,  // the linked pipeline has none that no stage of the original has
  no_effect,   // on what a pipeline does
  refused,     // has no reading
};

struct ObservableName {
  std::uint32_t number = 0;
  std::string_view name;  // as the SPIR-V specification spells it
};

// Those that are treated alike; `how` is one clause for docs/proof.md, which has the list as a table.
struct Observables {
  Observed kind = Observed::decoration;
  Treatment treatment = Treatment::compared;
  std::string_view how;
  std::span<const ObservableName> names;
};

std::span<const Observables> observables();

// How memory behind a resource may be accessed. Volatile and Coherent are obligations, the others promises, and the
// stages may need features without them (NonWritable: VUID-RuntimeSpirv-NonWritable-06340).
std::span<const ObservableName> memory_qualifiers();

// Permissions to deviate from exact terms. Terms know nothing of them.
std::span<const ObservableName> permissions();

// Throws Unsupported if the module has a decoration or built-in, or the entry point an execution mode, that is
// refused or not known.
void require_readable(const spirv::Module& module, const spirv::EntryPoint& entry);

}  // namespace varylink::prove
