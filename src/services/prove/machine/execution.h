// Runs an entry point on terms instead of numbers: its outputs, discards and stores as terms over its inputs.
//
// Control flow becomes choices: blocks run in reverse post-order, and where paths meet, each value chooses by the
// conditions of the paths. Loops with a constant trip count run; others become loop values (prove/loop_value.h).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
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

// How many values an interface variable has: an output for each vertex and one of the patch may share a location.
enum class Rate : std::uint8_t { vertex, patch, primitive };

// A component of an interface, or of a built-in variable.
struct Place {
  bool built_in = false;
  std::uint32_t number = 0;     // location or spv::BuiltIn
  std::uint32_t component = 0;  // of the location; of a built-in the leaf
  std::uint32_t index = 0;      // of dual source blending
  Rate rate = Rate::vertex;
  friend auto operator<=>(const Place&, const Place&) = default;
};
constexpr std::string_view kBuiltIn = "built-in ";      // how the text of a built-in begins
constexpr std::string_view kCaptured = "captured by ";  // and that of what transform feedback captures
std::string text_of(const Place& place);

// The terms of an input component.
struct InterfaceLoad {
  Term value = kNoTerm;  // as an ordinary read gives it
  Term sent = kNoTerm;   // the producer's stored value, for interpolateAt*; kNoTerm: there is none
  bool perspective = true;
  bool is_flat = false;
};

// Gives the value of an input component; called once for each component of each input of the entry point.
class InputSource {
 public:
  virtual ~InputSource() = default;
  virtual InterfaceLoad input(const Place& place, Sort sort, const std::string& interpolation) = 0;
  // The value at each vertex of the patch or primitive, as the invocation of the producer left it.
  virtual Term vertex_input(const Place& place, Sort sort) = 0;
  // All that the task workgroup stored to that part of its payload, in order; see Machine::parts_of. A symbol of its
  // own for what it does not hand on.
  virtual Term payload(std::uint32_t part) = 0;
  // The ranges of the inputs that were given so far.
  virtual TermRanges& ranges() = 0;
  // Constants with one number are one value in all stages, if type and default agree.
  virtual bool specialization_is_shared() const = 0;
};

// One EmitVertex of a geometry stage: the outputs at that point.
struct EmittedVertex {
  std::uint32_t stream = 0;
  std::map<Place, Term> outputs;
  std::map<std::string, Term> captured;
};

struct StageEffects {
  Stage stage = Stage::vertex;
  // A value for each declared output; undefined without a store. Of a tessellation control stage: the values of the
  // invocation's own vertex, and those that all invocations leave for the patch; of a geometry stage: emitted() values;
  // of a mesh stage: records of all stores, of sort memory.
  std::map<Place, Term> outputs;
  bool records = false;       // outputs are such records
  bool is_row = false;        // of a workgroup: its invocations differ in LocalInvocationId.x
  std::vector<Term> payload;  // of a task stage: records of all stores, by part
  // Output vectors whose components are stored by several invocations, or not all in the same way: the ways in which
  // components are stored, by the place of the first component.
  std::map<Place, std::set<Term>> shared_vectors;
  std::vector<EmittedVertex> emitted;
  Term emits = kNoTerm;                  // of a geometry stage: the invocation makes a vertex that is drawn
  bool makes_points = false;             // each vertex of a geometry or evaluation stage is a primitive
  std::map<std::string, Term> captured;  // by transform feedback, by buffer and byte
  Term primitives = kNoTerm;             // each EmitVertex and EndPrimitive, in order
  Term memory = kNoTerm;                 // all stores, image writes and atomics, in order
  // Reads that may be out of bounds: elements of arrays in buffers and descriptors that an index chooses. The address
  // of each, and the condition under which an invocation reads it.
  std::map<Term, Term> accesses;
  // Of uniform and read-only buffers: the first byte behind what is read of an element at a constant place, by address;
  // and behind all that every invocation of the stage reads, by buffer.
  std::map<Term, std::uint64_t> read_ends, certain_ends;
  // Operations that take differences between the invocations of a quad: the conditions under which they run.
  std::map<Term, std::set<Term>> quad_conditions;
  Term discarded = kNoTerm;  // the invocation ends or is demoted; outputs mean nothing then
  Term modes = kNoTerm;      // memory model, execution modes with what they say, and the size of workgroups
};

// Throws Unsupported.
StageEffects execute(Terms& terms, const spirv::Module& module, const spirv::EntryPoint& entry, Stage stage,
                     Semantics semantics, InputSource& inputs);

}  // namespace varylink::prove
