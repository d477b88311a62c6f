// Runs the checks of a range of seeds in several processes. A check that crashes or hangs takes its process with it,
// not the run: it becomes a result, and the process is started again behind it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "fuzz/coverage.h"
#include "fuzz/pipeline_check.h"

namespace varylink::fuzz {

struct PoolOptions {
  std::uint64_t first = 0, last = 0;  // seeds, both included
  unsigned jobs = 1;
  double time_limit_s = 0;   // no new seed is started after that; 0: no limit
  double seed_limit_s = 90;  // a seed that takes longer hangs
  bool draw = true;
  unsigned max_failures = 20;  // no new seed is started after that many
};

struct SeedResult {
  std::uint64_t seed = 0;
  CheckResult result;
};

struct PoolSummary {
  std::uint64_t done = 0;
  std::vector<SeedResult> failures;  // by seed
  Coverage coverage;
  std::map<std::uint64_t, std::string> words;  // CheckResult::words by seed, of those that did not fail
  double seconds = 0;
  std::string no_oracle;  // why nothing was drawn, empty if pictures were drawn
};

// Called in a child process. `oracle` may be null.
using SeedCheck = std::function<CheckResult(std::uint64_t seed, Oracle* oracle, Coverage& coverage)>;

// Must be called while the process has one thread: it forks.
PoolSummary run_seeds(const PoolOptions& options, const SeedCheck& check);

}  // namespace varylink::fuzz
