// The link verifier: rules between two modules before linking, and for every module and pair before it is written.
// Independent of the passes: it looks at modules only.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "link/rules/interface_model.h"

namespace varylink::link {

// The modules that a pair was made from.
struct PairOriginals {
  StageView producer;
  StageView consumer;
};

// Checks our own output strictly: each input has exactly one output of the same location, component, type and
// decorations, nothing overlaps, interpolation is uniform in every location, built-in blocks agree, and nothing is read
// that is never written. Violations already present in `originals` at the same slot are accepted (unsupported slots are
// not rewritten). Likewise reads of unwritten outputs, up to the number that `originals` has. Errors are of kind
// verification_failed; empty if all is well.
Diagnostics check_pair(const StageView& producer, const StageView& consumer, const PairOriginals* originals = nullptr);

// How the task payload of a mesh stage fits that of the task stage: both see the same memory, so both declare it with
// the same type (rule ).
enum class PayloadMatch : std::uint8_t { same, specialized, different, missing };
struct PayloadFinding {
  PayloadMatch match = PayloadMatch::same;
  spirv::Id task = 0, mesh = 0;  // the variables, 0 if there is none
  Message message = "";          // empty for `same`
};
// Of the variables that the code of the stages uses.
PayloadFinding match_payloads(const StageView& task, const StageView& mesh);
inline constexpr std::string_view kPayloadVuid = "VUID-RuntimeSpirv-MeshEXT-12380";

// Our own result: a payload that fits worse than before is an error of kind verification_failed.
Diagnostics check_payload(const StageView& task, const StageView& mesh, const PairOriginals* originals = nullptr);

struct InputCheck {
  Diagnostics diagnostics;
  std::set<varyings::Slot> unwritten;  // the warnings say that these are read and never written
};

// Findings that linking needs before it starts. Errors are of kind interface_mismatch. `strict`: severities are those
// of severity_of(). Otherwise they are milder where the result of linking is right all the same: an output that is
// missing for an input that is never read, PerPrimitiveEXT on one side, built-in blocks that differ and mixed
// interpolation are warnings; a shorter vector is nothing at all, since linking makes both sides equal.
InputCheck check_input_pair(const StageView& producer, const StageView& consumer, bool strict = false);

// The same for the task payload, which is memory and no varying: errors (VUID-RuntimeSpirv-MeshEXT-12380) for a payload
// that the task stage does not have or declares as another type, a warning if it depends on specialization constants
// that the two stages do not share.
Diagnostics check_input_payload(const StageView& task, const StageView& mesh);

}  // namespace varylink::link
