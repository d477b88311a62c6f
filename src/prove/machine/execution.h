// Runs an entry point on terms instead of numbers: what it writes, discards and stores, as terms over what comes in.
//
// Control flow becomes choices: blocks run in reverse post-order, and where paths meet, each value chooses by the
// conditions of the paths. Loops whose trip count is a constant run; others become loop values (prove/loop_value.h).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "prove/machine/shapes.h"
#include "prove/terms/interpolation.h"
#include "prove/terms/term.h"
#include "prove/terms/term_ranges.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/module.h"
#include "spirv/ir/stage.h"

namespace varylink::prove {

// A component of an interface, or of a built-in variable.
struct Place {
  bool built_in = false;
  std::uint32_t number = 0;     // location or spv::BuiltIn
  std::uint32_t component = 0;  // of the location; of a built-in the leaf
  std::uint32_t index = 0;      // of dual source blending
  friend auto operator<=>(const Place&, const Place&) = default;
};
std::string text_of(const Place& place);

// What an input component is made of.
struct CrossingRead {
  Term value = kNoTerm;     // as an ordinary read gives it
  Term crossing = kNoTerm;  // what the producer stored, for interpolateAt*; kNoTerm: cannot be interpolated elsewhere
  bool perspective = true;
};

// Gives the value of an input component; called once for each component of each input of the entry point.
class InputSource {
 public:
  virtual ~InputSource() = default;
  virtual CrossingRead input(const Place& place, Sort sort, const std::string& interpolation) = 0;
  // What each vertex of the patch or primitive has there, as an invocation of the producer has it.
  virtual Term vertex_input(const Place& place, Sort sort) = 0;
  // All that the task workgroup stored to that part of its payload, in order; see Machine::parts_of.
  virtual Term payload(std::uint32_t part) = 0;
  // The ranges of the inputs that were given so far.
  virtual TermRanges& ranges() = 0;
  // Constants with one number are one value in all stages, if type and default agree.
  virtual bool specialization_is_shared() const = 0;
};

// One EmitVertex of a geometry stage: what the vertex has where the stage gets there.
struct EmittedVertex {
  std::uint32_t stream = 0;
  std::map<Place, Term> outputs;
  std::map<std::string, Term> captured;
};

struct StageEffects {
  Stage stage = Stage::vertex;
  // Everything that is declared; undefined where nothing is stored. Of a tessellation control stage: what the
  // invocation has for its own vertex, and what all of them leave for the patch; of a geometry stage: emitted() values;
  // of a mesh stage: records of all stores, of sort memory.
  std::map<Place, Term> outputs;
  bool records = false;       // outputs are such records
  std::vector<Term> payload;  // of a task stage: records of all stores, by part
  std::vector<EmittedVertex> emitted;
  std::map<std::string, Term> captured;  // by transform feedback, by buffer and byte
  Term primitives = kNoTerm;             // each EmitVertex and EndPrimitive, in order
  Term memory = kNoTerm;                 // all stores, image writes and atomics, in order
  // What is read that need not be there, by where it is: elements of arrays in buffers and descriptors that an index
  // chooses. Under which condition an invocation reads it.
  std::map<Term, Term> accesses;
  Term discarded = kNoTerm;                       // the invocation ends or is demoted; outputs mean nothing then
  std::vector<std::vector<std::uint32_t>> modes;  // execution modes with their literals, in order
};

// Throws NotUnderstood.
StageEffects execute(Terms& terms, const spirv::Module& module, const spirv::EntryPoint& entry, Stage stage,
                     Semantics semantics, InputSource& inputs);

}  // namespace varylink::prove
