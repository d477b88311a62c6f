// One pipeline of a run as the reports show it: inputs, results, and the outcome of each varying.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/schedule.h"
#include "base/diagnostic.h"
#include "link/model/assumptions.h"
#include "link/model/report_model.h"
#include "link/rules/unused_declarations.h"
#include "measure/measurement.h"
#include "prove/prove.h"
#include "report/flow/value_flow.h"
#include "report/kept_instructions.h"
#include "spirv/ir/stage.h"

namespace varylink::report {

struct StageRecord {
  Stage stage = Stage::vertex;
  std::string file;  // as the user wrote it
  std::string entry_point;
  std::string output;     // file that holds the result, empty if none was written
  std::string content;    // SHA-256 of the result, empty if there is none
  std::size_t bytes = 0;  // size of the result
  // On the GPU of the cost profile; none if not requested, or if the module was not worked on.
  std::optional<analysis::StageCost> cost_before, cost_after;
  std::optional<report::KeptInstructions> kept;  // where costs are
  std::string larger_because;  // likewise; empty unless the result is much larger (report/larger_result.h)

  // Fills in both. `interfaces` are those of the pipeline.
  void compare(const link::StageInput& before, const link::StageInput& after,
               const std::vector<link::InterfaceReport>& interfaces);
};

// The proof of the result (--prove).
struct ProofRecord {
  prove::Proof proof;
  int level = 0;  // the -O that the result was linked with, and whose semantics the proof has
};

// Sizes of all interfaces together at this level, and at the next -O.
struct NextLevel {
  int level = 0;  // the next one
  link::InterfaceSize now, then;
};

// How a pipeline came to fit into the limits of a device.
struct FitRecord {
  bool fits = false;
  std::vector<std::string> means;  // steps beyond the options, in order: "-O3"; all steps if it does not fit
};

// Outcome of --max-fragment-cost.
struct FragmentCostRecord {
  std::optional<double> percent;   // issue slots of the linked fragment shader, in percent of the original's
  std::vector<std::string> means;  // steps that were left out, in order: "-O1"
};

// A driver's statistics of the stages before and after linking.
struct DriverRecord {
  std::string device;
  measure::Measurement measurement;
};

struct ReportEntry {
  std::string name;
  std::vector<StageRecord> stages;  // in pipeline order
  // Of the profile that `stages` have their costs from: runs of a fragment stage for each run of the stage before.
  double fragments_per_vertex = 1;
  std::vector<link::InterfaceReport> interfaces;
  std::vector<ValueFlow> flows;  // of interfaces, in pipeline order; only for reports that draw them
  std::vector<link::Remark> remarks;
  link::Assumptions assumptions;
  std::optional<ProofRecord> proof;                 // only on request
  std::optional<NextLevel> next_level;              // only on request, and if there is one
  std::optional<DriverRecord> driver;               // only when it was asked for
  std::optional<FitRecord> fit;                     // only with limits, of pipelines that can be linked
  std::optional<FragmentCostRecord> fragment_cost;  // only with a limit for it
  // Only for reports that list them; none also if a module cannot be read.
  std::optional<std::vector<link::UnusedDeclaration>> unused;
  std::string unchecked;  // passed through: the feature that this build does not know; else empty
  Diagnostics diagnostics;
  ErrorKind failure = ErrorKind::none;
  std::string cache_key;               // empty if it was not linked
  std::optional<double> milliseconds;  // only on request

  bool linked() const { return failure == ErrorKind::none; }
};

// Work of all stages together, a fragment stage's counted `fragments_per_vertex` times. Linking does not raise it.
struct PipelineWork {
  double before = 0, after = 0;
};

// None unless every stage has its costs.
std::optional<PipelineWork> work_of(const ReportEntry& pipeline);

// Sums over interfaces; highest_location is the largest one.
link::InterfaceSize size_after(const std::vector<link::InterfaceReport>& interfaces);

// Sums over the interfaces of linked pipelines.
struct Totals {
  std::size_t pipelines = 0;
  std::size_t linked = 0;
  std::vector<std::string> unchecked;  // names of those of the linked ones that were passed through unchecked
  link::InterfaceSize before, after;   // highest_location is the largest one
  std::vector<std::pair<std::string, ErrorKind>> failed;  // names, and why

  void add(const ReportEntry& pipeline);
};

// "usage", "io", "glsl", "invalid_spirv", "interface_mismatch", "verification_failed", "interrupted";
// "none" on success.
std::string_view name_of(ErrorKind kind);

}  // namespace varylink::report
