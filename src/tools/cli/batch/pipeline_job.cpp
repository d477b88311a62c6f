#include "cli/batch/pipeline_job.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <thread>

#include "base/out_of_memory.h"
#include "base/sha256.h"
#include "base/unsaid.h"
#include "cli/batch/companions.h"
#include "cli/batch/fit_limits.h"
#include "cli/batch/fragment_cost.h"
#include "cli/cache/cached_link.h"
#include "cli/cache/group_codec.h"
#include "cli/files/depfile.h"
#include "cli/files/report_files.h"
#include "cli/files/repro.h"
#include "driver/link_pipeline.h"
#include "driver/one_module.h"
#include "driver/open_stage.h"
#include "report/flow/value_flows.h"
#include "report/proof_of_link.h"

namespace varylink::cli {

std::string PipelineJob::below(const std::string& folder) const {
  return settings_.manifest.empty() ? folder : folder + "/" + source_.name;
}

void PipelineJob::fail(const Diagnostic& error) {
  outcome_.record.diagnostics.push_back(error);
  outcome_.record.failure = error.kind;
}

bool PipelineJob::refuse_warnings(ErrorKind kind) {
  const Diagnostics& said = outcome_.record.diagnostics;
  const bool warned = std::any_of(
      said.begin(), said.end(), [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::warning; });
  if (!settings_.warnings_are_errors || !warned) return false;
  fail(make_error(kind, "", "warnings are treated as errors"));
  return true;
}

bool PipelineJob::load_stages() {
  Diagnostics messages;
  Result<frontend::LoadedPipeline> loaded = cli::load(source_, settings_.compile, &messages);
  if (!loaded) {
    add_unsaid(messages, loaded.error());
    outcome_.record.diagnostics = std::move(messages);
    outcome_.record.failure = loaded.error().kind;
    return false;
  }
  loaded_ = std::move(*loaded);
  outcome_.dependencies = loaded_.dependencies;
  outcome_.record.diagnostics = loaded_.warnings;
  outcome_.unknown_spec_ids = loaded_.unknown_spec_ids;
  if (settings_.manifest.empty()) {
    UnknownSpecIds unknown;
    unknown.note(loaded_.unknown_spec_ids);
    for (Diagnostic& warning : unknown.warnings()) outcome_.record.diagnostics.push_back(std::move(warning));
  }
  Result<OutputPaths> paths = output_paths(loaded_.pipeline, settings_.output);
  if (!paths) {
    fail(paths.error());
    return false;
  }
  paths_ = std::move(*paths);
  if (const Result<void> safe = check_paths(); !safe) {
    fail(safe.error());
    return false;
  }
  return !refuse_warnings(loaded_.glsl_warned        ? ErrorKind::glsl
                          : loaded_.warnings.empty() ? ErrorKind::usage  // unknown specialization constants
                                                     : ErrorKind::interface_mismatch);
}

// One module that comes out as one takes its own place: that was asked for by name, and nothing else is lost.
bool PipelineJob::replaces_itself() const {
  if (!settings_.manifest.empty() || outcome_.dependencies.size() != 1 || !driver::came_as_one(loaded_.pipeline.stages))
    return false;
  InputFiles module;
  module.add(outcome_.dependencies.front());
  return std::all_of(paths_.begin(), paths_.end(),
                     [&](const auto& result) { return !module.check_result(result.second, "-o"); });
}

// No result is a file that this or another pipeline reads, or the dependency file of another result.
Result<void> PipelineJob::check_paths() const {
  InputFiles own;
  for (const std::string& file : outcome_.dependencies) own.add(file);
  for (const auto& [stage, path] : paths_) {
    if (replaces_itself()) break;
    if (Result<void> safe = settings_.inputs.check_result(path, "-o"); !safe) return safe;
    if (Result<void> safe = own.check_result(path, "-o"); !safe) return safe;
  }
  if (!settings_.depfile_beside_outputs || settings_.output.by_stage) return {};
  ReportFiles beside;
  for (const auto& [stage, path] : paths_)
    if (Result<void> added = beside.add("-MD", path + ".d"); !added) return added;
  for (const auto& [stage, path] : paths_)
    if (Result<void> free = beside.check_result(path, "-o"); !free) return free;
  return {};
}

void PipelineJob::record_stages() {
  for (const link::StageInput& stage : loaded_.pipeline.stages)
    outcome_.record.stages.push_back({stage.stage, stage.file, stage.entry_point, {}});
}

void PipelineJob::keep_dump(const std::string& pass, Stage stage, const std::vector<std::uint32_t>& words) {
  if (settings_.dump_after != "all" && settings_.dump_after != pass) return;
  const std::string stage_name(short_name(stage));
  const std::string text = spirv::disassemble(words);
  if (settings_.dump_dir.empty()) {
    outcome_.dump += "; after " + pass + ": " + stage_name + "\n" + text;
    return;
  }
  std::string number = std::to_string(++dumps_);
  number.insert(0, number.size() < 3 ? 3 - number.size() : 0, '0');
  const OutputFile file{below(settings_.dump_dir) + "/" + number + "." + pass + "." + stage_name + ".spvasm", text};
  if (const Result<void> written = write_files({&file, 1}); !written)
    outcome_.record.diagnostics.push_back(make_warning(file.path, "dump not written: " + written.error().message));
}

link::LinkOptions PipelineJob::options_with_dump() {
  link::LinkOptions options = settings_.options;
  if (!settings_.dump_after.empty())
    options.dump = [this](const std::string& pass, Stage stage, const std::vector<std::uint32_t>& words) {
      keep_dump(pass, stage, words);
    };
  return options;
}

void PipelineJob::record(link::LinkedPipeline& linked) {
  report::ReportEntry& record = outcome_.record;
  record.diagnostics.insert(record.diagnostics.end(), linked.diagnostics.begin(), linked.diagnostics.end());
  record.failure = linked.failure;
  record.interfaces = std::move(linked.interfaces);
  record.remarks = std::move(linked.remarks);
  record.assumptions = std::move(linked.assumptions);
  record.unchecked = std::move(linked.unchecked);
  for (report::StageRecord& stage : record.stages)
    for (const link::StageOutput& output : linked.stages)
      if (output.stage == stage.stage) {
        stage.content = content_hash(output.words);
        stage.bytes = output.words.size() * sizeof(std::uint32_t);
      }
}

// Results that are named by their content get their names only now.
void PipelineJob::choose_paths(const link::LinkedPipeline& linked) {
  if (!settings_.output.by_content || settings_.output.folder.empty()) return;
  for (const link::StageOutput& stage : linked.stages)
    paths_[stage.stage] = content_path(settings_.output, stage.stage, content_hash(stage.words));
}

// Stages that have one file are one module.
Result<std::vector<OutputFile>> PipelineJob::results_of(const link::LinkedPipeline& linked) {
  std::vector<std::string> prerequisites = loaded_.dependencies;
  if (!settings_.manifest.empty() && settings_.manifest != "-") prerequisites.push_back(settings_.manifest);
  const std::string gone = settings_.depfile_empty_rules ? empty_rules(prerequisites) : std::string();
  std::map<std::string, std::vector<link::StageOutput>> by_path;
  for (const link::StageOutput& stage : linked.stages) by_path[paths_[stage.stage]].push_back(stage);
  std::vector<OutputFile> files;
  for (const auto& [path, stages] : by_path) {
    Result<std::vector<std::uint32_t>> words = stages.front().words;
    if (stages.size() > 1) words = driver::one_module(loaded_.pipeline.stages, stages, settings_.options.validator);
    if (!words) return words.error();
    files.push_back({path, bytes_of(*words)});
    if (settings_.depfile_beside_outputs) files.push_back({path + ".d", dependency_rule({path}, prerequisites) + gone});
  }
  return files;
}

void PipelineJob::write_results(const link::LinkedPipeline& linked) {
  choose_paths(linked);
  if (paths_.empty()) return;
  const Result<std::vector<OutputFile>> companions = companions_of(source_.companions, settings_, paths_);
  if (!companions) return fail(companions.error());
  Result<std::vector<OutputFile>> files = results_of(linked);
  if (!files) return fail(files.error());
  files->insert(files->end(), companions->begin(), companions->end());
  if (const Result<void> written = write_files(*files); !written) return fail(written.error());
  for (report::StageRecord& stage : outcome_.record.stages) {
    if (paths_[stage.stage] == kStandardOutput) continue;
    stage.output = paths_[stage.stage];
    std::vector<std::string>& outputs = outcome_.outputs;
    if (std::find(outputs.begin(), outputs.end(), stage.output) == outputs.end()) outputs.push_back(stage.output);
  }
  for (const OutputFile& file : *companions) outcome_.outputs.push_back(file.path);
}

// Reading modules takes time: it is done only if somebody will see what is said about them, and once.
void PipelineJob::report_stages(const link::LinkedPipeline& linked) {
  if (!outcome_.record.linked() || (!settings_.measures_stages && !settings_.lists_unused)) return;
  std::vector<link::StageInput> after = linked_stages(linked, loaded_.pipeline);
  // What was passed through unread has not been validated.
  if (outcome_.record.unchecked.empty()) driver::read_once(loaded_.pipeline.stages, after);
  if (settings_.measures_stages) measure(after);
  if (settings_.lists_unused) outcome_.record.unused = link::unused_declarations(loaded_.pipeline.stages, after);
}

// Fills in what the stages cost before and after.
void PipelineJob::measure(const std::vector<link::StageInput>& after) {
  const auto stage_of = [](const std::vector<link::StageInput>& stages, Stage stage) {
    const auto found =
        std::find_if(stages.begin(), stages.end(), [&](const auto& each) { return each.stage == stage; });
    return found == stages.end() ? nullptr : &*found;
  };
  const auto cost = [&](const std::vector<link::StageInput>& stages, Stage stage) {
    const link::StageInput* found = stage_of(stages, stage);
    return found == nullptr ? std::nullopt : cost_by_cache(*found, settings_.options.profile, settings_.stores());
  };
  outcome_.record.fragments_per_vertex = settings_.options.profile.fragments_per_vertex;
  for (report::StageRecord& stage : outcome_.record.stages) {
    stage.cost_before = cost(loaded_.pipeline.stages, stage.stage);
    stage.cost_after = cost(after, stage.stage);
    if (stage.cost_before && stage.cost_after)
      stage.compare(*stage_of(loaded_.pipeline.stages, stage.stage), *stage_of(after, stage.stage),
                    outcome_.record.interfaces);
  }
}

// What pipelines that are linked together become depends on all of them, and is not drawn; nor what was passed through.
void PipelineJob::record_values(const std::string& key) {
  if (settings_.draws_values && outcome_.record.linked() &&
      key == cache_key(driver::group_of(loaded_.pipeline), settings_.options))
    outcome_.record.flows = report::value_flows(loaded_.pipeline, settings_.options);
}

// Links once more, which is why nobody gets it who has not asked.
void PipelineJob::ask_next_level(const std::string& key) {
  const std::optional<link::LinkOptions> options = at_next_level(settings_.options);
  if (!settings_.asks_next_level || !options || !outcome_.record.linked()) return;
  const link::GroupInput group = driver::group_of(loaded_.pipeline);
  if (key != cache_key(group, settings_.options)) return;
  const link::LinkedGroup next = link_by_cache(group, cache_key(group, *options), *options, settings_.stores());
  if (next.pipelines.empty() || next.pipelines.front().failure != ErrorKind::none) return;
  outcome_.record.next_level = {static_cast<int>(options->level), report::size_after(outcome_.record.interfaces),
                                report::size_after(next.pipelines.front().interfaces)};
}

void PipelineJob::keep_repro() {
  const bool wanted = settings_.manifest.empty() || !outcome_.record.linked();
  if (settings_.save_repro.empty() || !wanted) return;
  if (const Result<void> saved = save_repro(below(settings_.save_repro), loaded_.pipeline, settings_.options); !saved)
    outcome_.record.diagnostics.push_back(
        make_warning(saved.error().file, "reproducer not written: " + saved.error().message));
}

void PipelineJob::guarded(const std::function<void()>& step) {
  const auto start = std::chrono::steady_clock::now();
  try {
    step();
  } catch (...) {
    fail_by(std::current_exception());
  }
  spent_ += std::chrono::steady_clock::now() - start;
  if (settings_.timing) outcome_.record.milliseconds = std::chrono::duration<double, std::milli>(spent_).count();
}

// What the step held is free again, but other pipelines may hold the rest until they end.
void PipelineJob::fail_without_memory() {
  constexpr int kTrials = 1000;
  constexpr std::chrono::milliseconds kPause(10);
  for (int trial = 1;; ++trial) {
    try {
      return fail(out_of_memory());
    } catch (const std::bad_alloc&) {
      if (trial == kTrials) throw;
      std::this_thread::sleep_for(kPause);
    }
  }
}

void PipelineJob::fail_by(const std::exception_ptr& thrown) {
  const auto fail_internally = [&](const std::string& what) {
    fail(make_error(ErrorKind::verification_failed, "", "internal error: " + what));
  };
  try {
    std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    fail_without_memory();
  } catch (const std::exception& error) {
    fail_internally(error.what());
  } catch (...) {
    fail_internally("unknown exception");
  }
}

bool PipelineJob::load() {
  bool loaded = false;
  guarded([&] {
    loaded = load_stages();
    if (loaded) record_stages();
  });
  return loaded && outcome_.record.linked();
}

void PipelineJob::release_modules() {
  for (link::StageInput& stage : loaded_.pipeline.stages) stage.read.reset();
}

void PipelineJob::release_words() {
  release_modules();
  for (link::StageInput& stage : loaded_.pipeline.stages) std::vector<std::uint32_t>().swap(stage.words);
}

void PipelineJob::restore_words(const std::function<std::vector<std::uint32_t>(std::size_t)>& words_of) {
  for (std::size_t i = 0; i < loaded_.pipeline.stages.size(); ++i) loaded_.pipeline.stages[i].words = words_of(i);
}

PipelineJob::Alone PipelineJob::link_alone(const link::LinkOptions& options) {
  const link::GroupInput input = driver::group_of(loaded_.pipeline);
  std::string key = cache_key(input, options);
  link::LinkedGroup linked = link_by_cache(input, key, options, settings_.stores());
  return {std::move(linked.pipelines.at(0)), std::move(key)};
}

void PipelineJob::begin(const driver::Attempt& attempt, driver::Goals wanted) {
  outcome_.level = attempt.options.level;
  if ((wanted & driver::kFits) != 0) fit_.means.push_back(attempt.name);
  if ((wanted & driver::kCheap) != 0) fragment_cost_.means.push_back(attempt.name);
}

driver::Goals PipelineJob::judge(const link::LinkedPipeline& linked) {
  driver::Goals missed = 0;
  // A pipeline that cannot be linked has nothing that is beyond the limits.
  if (settings_.limits) beyond_limits_ = beyond_limits(loaded_.pipeline, linked, *settings_.limits);
  if (!beyond_limits_.empty()) missed |= driver::kFits;
  if (settings_.max_fragment_cost)
    fragment_cost_.percent = fragment_cost(loaded_.pipeline, linked, settings_.options, settings_.stores());
  if (fragment_cost_.percent && *fragment_cost_.percent > *settings_.max_fragment_cost) missed |= driver::kCheap;
  const bool proves = settings_.proving == Proving::fallback && missed == 0;
  if (proves && !prove_result(linked)) missed |= driver::kProved;
  return missed;
}

// The first result that is all it has to be.
PipelineJob::Alone PipelineJob::link_to_goals() {
  Alone alone;
  driver::try_until_reached(driver::attempts(options_with_dump(), settings_.goals()),
                            [&](const driver::Attempt& attempt, driver::Goals wanted) {
                              begin(attempt, wanted);
                              alone = link_alone(attempt.options);
                              return judge(alone.linked);
                            });
  return alone;
}

// A result that does not fit into the limits becomes a failure.
void PipelineJob::record_goals(link::LinkedPipeline& linked) {
  if (settings_.max_fragment_cost) outcome_.record.fragment_cost = std::move(fragment_cost_);
  if (!settings_.limits || linked.failure != ErrorKind::none) return;
  fit_.fits = beyond_limits_.empty();
  outcome_.record.fit = std::move(fit_);
  if (beyond_limits_.empty()) return;
  linked.failure = ErrorKind::interface_mismatch;
  linked.stages.clear();
  linked.diagnostics.insert(linked.diagnostics.end(), beyond_limits_.begin(), beyond_limits_.end());
}

void PipelineJob::link_and_finish() {
  std::optional<Alone> alone;
  guarded([&] { alone = link_to_goals(); });
  if (alone) finish(std::move(alone->linked), alone->key);
}

// Most of what a record takes is said about the components of its interfaces.
void PipelineJob::park(ScratchFile& file) {
  loaded_ = {};
  paths_ = {};
  const auto place = file.append(encode(outcome_.record.interfaces));
  if (!place) return;
  parked_in_ = &file;
  parked_ = *place;
  outcome_.record.interfaces = {};
}

LinkOutcome PipelineJob::take() {
  if (parked_in_) {
    const std::optional<std::string> bytes = parked_in_->read(parked_);
    auto interfaces = bytes ? decode_interfaces(*bytes) : std::nullopt;
    if (interfaces)
      outcome_.record.interfaces = std::move(*interfaces);
    else
      fail(make_error(ErrorKind::io, "", "the report of a pipeline cannot be read back from a temporary file"));
  }
  return std::move(outcome_);
}

// Records what is shown about the result. True if it is proved, or if there is none.
bool PipelineJob::prove_result(const link::LinkedPipeline& linked) {
  if (linked.failure != ErrorKind::none) return true;
  outcome_.record.proof = {report::proof_of_link(loaded_.pipeline, linked, outcome_.level),
                           static_cast<int>(outcome_.level)};
  return outcome_.record.proof->proof.verdict == prove::Verdict::proved;
}

// A result that is not proved becomes a failure.
void PipelineJob::require_proof(link::LinkedPipeline& linked) {
  if (linked.failure != ErrorKind::none || outcome_.record.proof->proof.verdict == prove::Verdict::proved) return;
  report::refuse_unproved(linked, outcome_.record.proof->proof);
}

void PipelineJob::add_lines(link::LinkedPipeline& linked) const {
  if (settings_.compile.debug_info) return;
  driver::add_lines(linked, settings_.options, [&]() -> std::optional<link::PipelineInput> {
    frontend::CompileOptions compile = settings_.compile;
    compile.debug_info = true;
    Result<frontend::LoadedPipeline> loaded = cli::load(source_, compile);
    if (!loaded) return std::nullopt;
    return std::move(loaded->pipeline);
  });
}

void PipelineJob::finish(link::LinkedPipeline linked, const std::string& key) {
  guarded([&] {
    record_goals(linked);
    add_lines(linked);
    outcome_.record.cache_key = key;
    if (settings_.proving != Proving::none && settings_.proving != Proving::fallback) prove_result(linked);
    if (settings_.proving == Proving::require) require_proof(linked);
    record(linked);
    if (outcome_.record.linked() && !refuse_warnings(ErrorKind::interface_mismatch)) write_results(linked);
    report_stages(linked);
    keep_repro();
    record_values(key);
    ask_next_level(key);
    release_modules();
    if (settings_.keep_stages && outcome_.record.linked()) {
      outcome_.state = loaded_.pipeline.state;
      outcome_.original = loaded_.pipeline.stages;
      outcome_.linked = linked_stages(linked, loaded_.pipeline);
    }
    const std::optional<report::ProofRecord>& proof = outcome_.record.proof;
    const bool only_unproved = proof && proof->proof.verdict == prove::Verdict::not_proved;
    if (outcome_.record.failure != ErrorKind::verification_failed || only_unproved) return;
    Diagnostic note =
        make_warning("", "this is a defect of varylink: please report it with what --save-repro DIR keeps");
    note.severity = Severity::note;
    outcome_.record.diagnostics.push_back(note);
  });
}

}  // namespace varylink::cli
