// The journal of the layer about the pipelines of a program, and its summary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace varylink::cli {

// A line of the layer's journal (docs/layer.md).
struct RunPipeline {
  struct Size {
    std::uint64_t components = 0, locations = 0;
  };
  std::string key, stages, outcome, reason;
  Size before, after;  // of all interfaces
  bool from_cache = false;
  std::uint64_t steps = 0;  // 0: not linked now
  std::string report;       // JSON of the library, if the journal has details
  double link_ms = 0, driver_ms = 0;
};

// Outcomes in journals.
constexpr const char* kLinkedOutcome = "linked";
constexpr const char* kUnchangedOutcome = "unchanged";

struct RunRecord {
  std::size_t instances = 0;  // that the program made with the layer in it
  std::vector<RunPipeline> pipelines;
  std::vector<std::string> messages;
  std::size_t linked_later = 0;  // over the budget, and in the cache for the next run
};

// The lines of a journal. A last line that a killed program left half is left out, and so are lines that say nothing
// that is known here.
RunRecord read_journal(const std::string& text);

// One line for a reader, while the program runs.
std::string progress_of(const RunRecord& run);

// Several lines for a reader.
std::string summary_of(const RunRecord& run);

// The same and every pipeline, as JSON.
std::string json_of(const RunRecord& run);

}  // namespace varylink::cli
