// One pipeline of a run, step by step from its files to its results on disk: read, then link (alone or together with
// others), then write. Errors are in the outcome: no step throws. If a step fails, the outputs on disk stay as they
// were before. Nothing is printed.
#pragma once

#include <chrono>
#include <exception>
#include <functional>

#include "cli/batch/link_one.h"
#include "cli/files/output_files.h"
#include "cli/files/scratch_file.h"
#include "driver/attempts.h"
#include "link/model/group.h"

namespace varylink::cli {

class PipelineJob {
 public:
  // Both must outlive the job.
  PipelineJob(const PipelineSource& source, const LinkSettings& settings) : source_(source), settings_(settings) {
    outcome_.record.name = source.name;
    outcome_.level = settings.options.level;
  }

  // Reads and compiles. False if that failed; then there is nothing more to do.
  bool load();
  // The pipeline that load read; valid after load.
  const link::PipelineInput& pipeline() const { return loaded_.pipeline; }
  // Memory for the words of the stages, which only finish needs: gives it back, and fills it with the words that were
  // there. `words_of` is asked for each stage, by its number.
  void release_words();
  void restore_words(const std::function<std::vector<std::uint32_t>(std::size_t)>& words_of);
  // The goals of the settings that a result misses, which finish records. Needs the words of the stages.
  driver::Goals judge(const link::LinkedPipeline& linked);
  // The next result that is judged is of this attempt, which is made for the goals `wanted`.
  void begin(const driver::Attempt& attempt, driver::Goals wanted);
  // Links the pipeline alone, by way of the cache of the settings, and finishes it.
  void link_and_finish();
  // Records and writes the result. `key` is the cache key of the group that it was linked in.
  void finish(link::LinkedPipeline linked, const std::string& key);
  // Sets the cache key that finish would have recorded, without a result.
  void set_key(const std::string& key) { outcome_.record.cache_key = key; }
  // Records the failure for an exception that work on the pipeline threw.
  void fail_by(const std::exception_ptr& thrown);
  void fail_without_memory();
  // After finish: gives back the memory that is not needed any more, or only by take; data for take goes into `file`,
  // which must outlive the job, if there is room.
  void park(ScratchFile& file);
  // The job is over afterwards.
  LinkOutcome take();

 private:
  void guarded(const std::function<void()>& step);
  // Modules as they were read are of no use once the pipeline is linked.
  void release_modules();
  bool load_stages();
  bool replaces_itself() const;
  Result<void> check_paths() const;
  void record_stages();
  link::LinkOptions options_with_dump();
  void add_lines(link::LinkedPipeline& linked) const;
  void record(link::LinkedPipeline& linked);
  void keep_dump(const std::string& pass, Stage stage, const std::vector<std::uint32_t>& words);
  // A result that was linked alone, and its cache key.
  struct Alone {
    link::LinkedPipeline linked;
    std::string key;
  };
  Alone link_alone(const link::LinkOptions& options);
  Alone link_to_goals();
  void record_goals(link::LinkedPipeline& linked);
  bool prove_result(const link::LinkedPipeline& linked);
  void require_proof(link::LinkedPipeline& linked);
  void choose_paths(const link::LinkedPipeline& linked);
  void write_results(const link::LinkedPipeline& linked);
  Result<std::vector<OutputFile>> results_of(const link::LinkedPipeline& linked);
  void report_stages(const link::LinkedPipeline& linked);
  void measure(const std::vector<link::StageInput>& after);
  // `key` is that of the group that the result is from.
  void record_values(const std::string& key);
  void ask_next_level(const std::string& key);
  void keep_repro();
  bool refuse_warnings(ErrorKind kind);
  void fail(const Diagnostic& error);
  // Folder of this pipeline below a folder that all pipelines of a manifest share.
  std::string below(const std::string& folder) const;

  const PipelineSource& source_;
  const LinkSettings& settings_;
  LinkOutcome outcome_;
  frontend::LoadedPipeline loaded_;
  // About the result that was judged last.
  report::FitRecord fit_;
  report::FragmentCostRecord fragment_cost_;
  Diagnostics beyond_limits_;
  OutputPaths paths_;
  ScratchFile* parked_in_ = nullptr;  // not owned; null: the interfaces are in the outcome
  ScratchFile::Place parked_ = {};
  int dumps_ = 0;
  std::chrono::steady_clock::duration spent_{};
};

}  // namespace varylink::cli
