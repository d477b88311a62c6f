// The options of `varylink link`, as typed and as understood.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/cost_profile.h"
#include "check/limits.h"
#include "cli/cache/cached_link.h"
#include "cli/files/input_files.h"
#include "cli/settings/inputs.h"
#include "cli/settings/output_names.h"
#include "cli/settings/picture_check.h"
#include "driver/attempts.h"
#include "link/model/pipeline.h"
#include "share/shared_link.h"
#include "store/link_cache.h"

namespace varylink::cli {

struct LinkArguments {
  InputOptions inputs;
  std::vector<std::string> outputs;  // -o
  int level = 2;
  std::vector<std::string> passes;
  bool help_passes = false;
  std::string dump_after, dump_dir;
  std::optional<std::uint64_t> fuel;
  link::LinkOptions flags;  // of link::link_flags(); its other members say nothing
  std::string report, report_lines, html, dot, save_repro, depfile, depfile_target;
  std::string layout;  // --layout
  std::string profile = "generic";
  bool depfile_beside_outputs = false;  // -MD
  bool depfile_empty_rules = false;     // -MP
  std::string sharing;                  // --share
  std::optional<std::size_t> max_variants;
  std::vector<std::string> invariance_groups;  // --invariance-group, names with commas between
  std::string shard;                           // --shard
  std::string cache;
  std::optional<std::uint64_t> cache_limit_mib;
  bool print_cache_key = false;
  bool timing = false;
  bool next_level = false;
  std::string limits;  // --limits
  std::optional<double> max_fragment_cost;
  std::string proving;  // --prove
  bool verify = false;
  PictureOptions pictures;  // of --verify
  bool measure = false;
  std::optional<double> fail_above;  // of --measure
  bool warnings_are_errors = false;
  bool quiet = false, verbose = false;
  unsigned jobs = 0;  // 0: as many as the machine has

  // The options that name a file for output of the run, with that name.
  std::vector<std::pair<std::string, std::string>> reports() const;
  // The options that send their result to standard output. At most one, or settings_of refuses them.
  std::vector<std::string> options_with_standard_output() const;
};

using share::Sharing;

// Treatment of a result that is not proved to equal the original.
enum class Proving : std::uint8_t {
  none,      // not proved
  report,    // the report says so
  require,   // it is not written
  fallback,  // the pipeline is linked again at the next lower level, at last passed through
};

// Part `index` (from 0) of `count` parts of a manifest.
struct Shard {
  std::size_t index = 0, count = 1;
};

// Settings of one run; the same for every pipeline.
struct LinkSettings {
  frontend::CompileOptions compile;
  link::LinkOptions options;
  OutputPlan output;
  InputFiles inputs;     // the input files that are known before anything is read
  std::string manifest;  // empty: one pipeline from the command line
  std::string dump_after, dump_dir;
  std::string save_repro;
  bool measures_stages = false;  // with options.profile
  bool lists_unused = false;     // unused declarations of the results
  bool depfile_beside_outputs = false;
  bool depfile_empty_rules = false;
  bool timing = false;
  bool asks_next_level = false;             // the gain of the next -O
  std::optional<check::Limits> limits;      // that results have to fit into
  std::optional<double> max_fragment_cost;  // issue slots of a fragment shader, in percent of the original's
  std::optional<store::LinkCache> cache;
  std::shared_ptr<RunMemo> memo;  // of a run that links more than one pipeline
  Sharing sharing = Sharing::none;
  Proving proving = Proving::none;
  std::size_t max_variants = 0;                             // of a module, with Sharing::cluster
  std::vector<std::vector<std::string>> invariance_groups;  // names of pipelines
  Shard shard;
  bool draws_values = false;  // some report draws the values on both sides of the interfaces
  bool keep_stages = false;   // hand the modules of both sides back, for --verify
  bool warnings_are_errors = false;

  // Goals of results. A pipeline whose result misses one is linked in other ways.
  driver::Goals goals() const {
    return (limits ? driver::kFits : 0u) | (max_fragment_cost ? driver::kCheap : 0u) |
           (proving == Proving::fallback ? driver::kProved : 0u);
  }
  share::SharedRequest shared_request() const { return {sharing, max_variants, invariance_groups}; }
  ResultStores stores() const { return {cache ? &*cache : nullptr, memo.get()}; }
};

void declare_link(CLI::App& app, LinkArguments& arguments);
// The part of it that says how to optimize: -O, --passes and so on.
void declare_optimizing(CLI::App& app, LinkArguments& arguments);
// --profile.
void declare_profile(CLI::App& app, LinkArguments& arguments, const char* group);
// The output of --help-passes.
void print_passes();

// These options at the next -O; none if there is none, or if passes were chosen by name.
std::optional<link::LinkOptions> at_next_level(const link::LinkOptions& options);

// Error: usage.
Result<LinkSettings> settings_of(const LinkArguments& arguments);

}  // namespace varylink::cli
