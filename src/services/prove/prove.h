// Translation validation: shows for all inputs that a linked pipeline equals the original, or names the parts that it
// could not show equal. Uses nothing of the linker: both pipelines are read from words (docs/proof.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "prove/pipeline_facts.h"
#include "prove/terms/semantics.h"
#include "spirv/ir/stage.h"

namespace varylink::prove {

enum class Verdict { proved, not_proved, refuted };
std::string_view name_of(Verdict verdict);

struct StageWords {
  Stage stage = Stage::vertex;
  std::span<const std::uint32_t> words;  // valid SPIR-V in host byte order
  std::string entry_point;               // empty: the only one of that stage
};

struct ProveOptions {
  Semantics semantics = Semantics::linear;
  std::uint64_t budget = 4'000'000;  // steps of building terms, for all attempts together
  PipelineFacts facts;
  bool no_fragment = false;  // the pipeline has no fragment stage: outputs for it do not count
};

// The subject of a finding: a value that the outside sees, or a read that the original did not guarantee.
enum class Subject { value, read };

// One value or read, and its verdict.
struct Finding {
  Subject subject = Subject::value;
  Stage stage = Stage::vertex;
  std::string what;  // "output 0.x", "built-in 0[3]", "memory", "discard"
  Verdict verdict = Verdict::not_proved;
  std::string original, linked;  // the smallest parts of the two terms that could not be shown equal
  std::string witness;           // if refuted: inputs, and both values for them
};

struct Proof {
  Verdict verdict = Verdict::not_proved;
  std::string reason;             // one clause; empty when proved
  std::vector<Finding> findings;  // not proved, or refuted
  // Proved only because undefined values of the original may be anything: pictures may differ, and any is right.
  bool relies_on_undefined = false;
  std::uint32_t outputs = 0;  // things that the outside sees
  std::uint64_t steps = 0;
};

// Never throws for valid modules. The stages come in pipeline order.
Proof prove(std::span<const StageWords> original, std::span<const StageWords> linked, const ProveOptions& options);

}  // namespace varylink::prove
