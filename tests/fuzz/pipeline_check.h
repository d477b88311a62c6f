// Everything that must hold for one generated pipeline.
#pragma once

#include <memory>
#include <string>

#include "fuzz/candidate.h"
#include "fuzz/coverage.h"

namespace varylink::fuzz {

enum class Failure {
  none,
  not_compiled,       // the generator made something that does not compile: its own fault
  link_failed,        // link_pipeline refused a valid pipeline, or its result failed its own checks
  invalid_output,     // an output module does not pass the validator
  grew,               // more components or locations than before, or than without motion
  not_deterministic,  // the same input gave other bytes
  qualifiers_differ,  // outputs and inputs were declared alike, and are no longer
  different,          // another picture
  not_identical,      // -O1 changed bits of a pipeline where it must not
  proved_wrongly,     // proved to be the same, and another picture
  refuted_wrongly,    // refuted, and not another picture
  crash,              // the process died
  hang,               // no answer in time
};

std::string_view name_of(Failure failure);

struct CheckOptions {
  link::LinkOptions link;  // but for its level
  bool draw = true;
  bool prove = true;
  std::uint64_t proof_budget = 1'000'000;  // steps; a few pipelines of a hundred would take most of the time with more
  std::uint32_t runs = 3;                  // pictures per pipeline and level
  std::uint32_t turn = 0;                  // which kind of picture comes first
  bool draw_proved = true;                 // draw what is proved, too
  bool thorough = true;  // link everything twice, link the results again, and validate what the linker has validated
};

struct CheckResult {
  Failure failure = Failure::none;
  std::string detail;  // one line
  std::string level;   // as on the command line, with the other options, where the failure has one
  std::string words;   // hash of all modules that came in and went out; empty after a failure
};

// The oracle, if this build has Vulkan and the machine has a driver.
class Oracle {
 public:
  // Null if there is no driver; `reason` says why then.
  static std::unique_ptr<Oracle> start(std::string& reason);
  // See verify::Worker::serve_parent.
  static bool serve_parent(int count, char** values);
  virtual ~Oracle() = default;

  struct Answer {
    bool different = false;
    bool identical = false;
    bool drawn = true;     // false: the driver could not run it
    bool crashed = false;  // different because the driver crashed with the linked pipeline alone
    std::string verdict;
    std::string uncovered;  // why an equal picture proves nothing, empty if it does
    std::string text;
  };
  virtual Answer compare(const link::PipelineInput& original, const link::LinkedPipeline& linked, link::Level level,
                         const CheckOptions& options) = 0;
};

// Checks the candidate at -O1, -O2 and -O3. `oracle` may be null: no pictures are drawn then.
CheckResult check(const Candidate& candidate, const CheckOptions& options, Oracle* oracle, Coverage& coverage);

}  // namespace varylink::fuzz
