// One pipeline from its files to its results on disk.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/settings/inputs.h"
#include "cli/settings/link_settings.h"
#include "report/report_entry.h"

namespace varylink::cli {

struct LinkOutcome {
  report::ReportEntry record;
  link::Level level = link::Level::check;  // that the result was linked at: --limits, --max-fragment-cost and --prove
                                           // fallback choose it
  std::vector<std::string> dependencies;   // files that were read
  std::vector<std::string> outputs;        // files that hold the results, also those whose bytes were there already
  std::optional<std::set<std::uint32_t>> unknown_spec_ids;  // none if it could not be read
  state::PipelineState state;
  std::vector<link::StageInput> original, linked;  // the modules of both sides, if settings.keep_stages and it linked
  std::string dump;                                // text of --dump-after, unless it went to files
};

// Reads, links, and writes. Never throws: errors are in the outcome. After a failure the outputs on disk are unchanged.
// Prints nothing. Thread safe for pipelines with different names.
LinkOutcome link_one(const PipelineSource& source, const LinkSettings& settings);

}  // namespace varylink::cli
