#include <algorithm>
#include <cstdio>
#include <set>

#include "base/version.h"
#include "cli/batch/batch.h"
#include "cli/batch/companions.h"
#include "cli/batch/manifest_shards.h"
#include "cli/batch/report_names.h"
#include "cli/batch/shared_batch.h"
#include "cli/command.h"
#include "cli/files/depfile.h"
#include "cli/files/line_stream.h"
#include "cli/files/output_files.h"
#include "cli/files/repro.h"
#include "cli/files/scratch_file.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "cli/put_text.h"
#include "cli/settings/driver_measure.h"
#include "cli/settings/link_settings.h"
#include "platform/file_system.h"
#include "platform/path.h"
#include "report/dot.h"
#include "report/html_report.h"
#include "report/json_report.h"
#include "report/run_options.h"
#include "report/text_report.h"

namespace varylink::cli {
namespace {

// A page with more pipelines than this has no value graphs: they cost as much time as linking, and most of its size.
constexpr std::size_t kMostDrawn = 100;

class LinkCommand : public Command {
 public:
  void declare(CLI::App& app) override { declare_link(app, arguments_); }
  int run() override;

 private:
  bool is_batch() const { return !arguments_.inputs.manifest.empty(); }
  bool has_rule_for_each() const { return !arguments_.depfile.empty() && arguments_.depfile_target.empty(); }
  void take(LinkOutcome&& outcome, Progress& progress);
  Result<void> choose_store(const Collection& collection, LinkSettings& settings);
  Result<void> write_store(const LinkSettings& settings);
  void print(const LinkOutcome& outcome, bool lines) const;
  int finish(const LinkSettings& settings);
  report::RunRecord run_record(const LinkSettings& settings) const;
  Result<void> write_reports(const LinkSettings& settings);
  Result<void> begin_reports(const LinkSettings& settings);
  void record(report::ReportEntry&& record);
  Result<void> check_reports() const;
  Result<void> keep_apart(const Collection& collection, const LinkSettings& settings) const;
  void verify(const LinkOutcome& outcome, Progress& progress);
  void measure(LinkOutcome& outcome, Progress& progress);
  void link_sources(std::span<const PipelineSource> sources, const LinkSettings& settings);
  void pass_through(std::span<const PassedThrough> others, const LinkSettings& settings);
  int print_keys(std::span<const PipelineSource> sources, const LinkSettings& settings);

  LinkArguments arguments_;
  report::Totals totals_;
  std::optional<report::JsonReport> json_;  // with --report
  ScratchFile json_pipelines_;              // its pipelines so far
  bool json_is_whole_ = true;
  std::optional<report::JsonReport> json_lines_;  // with --report-lines
  std::optional<LineStream> lines_;
  std::vector<report::ReportEntry> records_;  // for reports that need all of them
  std::string dependency_rules_;
  std::set<std::string> prerequisites_;  // of all results
  UnknownSpecIds unknown_spec_ids_;
  InputFiles inputs_;                     // everything that was read so far
  std::optional<PictureCheck> pictures_;  // with --verify
  std::optional<DriverMeasure> driver_;   // with --measure
  int status_ = 0;
  std::shared_ptr<PipelineStore> store_;  // null: results are files
  std::string store_path_;                // empty: nothing is written
  bool names_validator_ = false;          // it refused something
  std::size_t total_ = 0;                 // pipelines of the manifest
  std::vector<std::size_t> positions_;    // of those that this process links
};

// In a batch every line begins with the name of its pipeline.
void LinkCommand::print(const LinkOutcome& outcome, bool lines) const {
  const report::ReportEntry& record = outcome.record;
  const std::string prefix = is_batch() ? record.name + ": " : std::string();
  print_diagnostics(record.diagnostics, record.name, is_batch());
  if (!lines) return;
  put_text(stdout, outcome.dump);
  if (!record.linked()) {
    if (is_batch()) put_line(stdout, prefix + "failed");
    return;
  }
  for (const link::InterfaceReport& interface : record.interfaces)
    put_line(stdout, prefix + report::interface_line(interface));
  if (record.interfaces.empty()) put_line(stdout, prefix + "no interface between two stages");
  if (record.proof) {
    const prove::Proof& proof = record.proof->proof;
    put_line(stdout, prefix + "proof: " + std::string(prove::name_of(proof.verdict)) + " at -O" +
                         std::to_string(record.proof->level) + (proof.reason.empty() ? "" : ": " + proof.reason));
  }
  if (record.fragment_cost) put_line(stdout, prefix + report::fragment_cost_line(*record.fragment_cost));
  if (record.fit) put_line(stdout, prefix + report::fit_line(*record.fit));
  if (record.next_level) put_line(stdout, prefix + report::next_level_line(*record.next_level));
  if (!arguments_.verbose) return;
  for (const report::StageRecord& stage : record.stages)
    if (const std::string line = report::cost_line(stage); !line.empty()) put_line(stdout, prefix + "  " + line);
  for (const link::Remark& remark : record.remarks)
    put_line(stdout, prefix + "  " + remark.stage + ": " + remark.pass + ": " + remark.message);
}

// What the pictures prove about a pipeline that linked. What is not proved is printed even with --quiet.
void LinkCommand::verify(const LinkOutcome& outcome, Progress& progress) {
  const std::string text =
      pictures_->compare(outcome.record.name, outcome.state, outcome.level, outcome.original, outcome.linked);
  const bool proved = text.starts_with("identical") || text.starts_with("within");
  if (proved && (arguments_.quiet || progress.shown())) return;
  progress.clear();
  std::FILE* lines = arguments_.options_with_standard_output().empty() ? stdout : stderr;
  put_line(lines, (is_batch() ? outcome.record.name + ": " : "") + "pictures: " + text);
}

// What a driver compiles a pipeline that linked to. What got worse is printed even with --quiet.
void LinkCommand::measure(LinkOutcome& outcome, Progress& progress) {
  DriverMeasure::Measured measured =
      driver_->measure(outcome.record.name, outcome.state, outcome.original, outcome.linked);
  outcome.record.driver = {driver_->device(), std::move(measured.measurement)};
  if (!measured.worse && (arguments_.quiet || progress.shown())) return;
  progress.clear();
  std::FILE* out = arguments_.options_with_standard_output().empty() ? stdout : stderr;
  const std::string prefix = is_batch() ? outcome.record.name + ": " : std::string();
  for (const std::string& line : measured.lines) put_line(out, prefix + "driver: " + line);
}

void LinkCommand::take(LinkOutcome&& outcome, Progress& progress) {
  status_ = worse_status(status_, exit_status(outcome.record.failure));
  if (!outcome.record.diagnostics.empty()) progress.clear();
  print(outcome, !arguments_.quiet && !progress.shown());
  names_validator_ = names_validator_ || is_of_validator(outcome.record.diagnostics);
  if (pictures_ && outcome.record.linked()) verify(outcome, progress);
  if (driver_ && outcome.record.linked()) measure(outcome, progress);
  if (outcome.unknown_spec_ids) unknown_spec_ids_.note(*outcome.unknown_spec_ids);
  for (const std::string& file : outcome.dependencies) inputs_.add(file);
  std::vector<std::string> prerequisites = std::move(outcome.dependencies);
  if (is_batch() && arguments_.inputs.manifest != "-") prerequisites.push_back(arguments_.inputs.manifest);
  if (has_rule_for_each()) dependency_rules_ += dependency_rule(outcome.outputs, prerequisites);
  prerequisites_.insert(prerequisites.begin(), prerequisites.end());
  if (store_ && outcome.record.linked()) store_->add(outcome.record.name, outcome.linked);
  progress.step(outcome.record.name);
  record(std::move(outcome.record));
}

void LinkCommand::record(report::ReportEntry&& record) {
  totals_.add(record);
  if (json_lines_) lines_->write(json_lines_->add(record));
  if (json_ && !json_pipelines_.append(json_->add(record))) json_is_whole_ = false;
  if (!arguments_.html.empty() || !arguments_.dot.empty()) records_.push_back(std::move(record));
}

// Where all results go if they are one file: to FILE or into DIR of -o. They are not written one by one then.
Result<void> LinkCommand::choose_store(const Collection& collection, LinkSettings& settings) {
  store_ = collection.store;
  if (!store_) return {};
  const std::string name = store_->file_name();
  const std::string given = settings.output.folder;
  settings.output = {};
  settings.keep_stages = true;
  if (settings.shard.count > 1)
    return make_error(ErrorKind::usage, name, "--shard does not go with a database, which is written as a whole");
  if (settings.depfile_beside_outputs)
    return make_error(ErrorKind::usage, name, "-MD does not go with a database: use -MF FILE");
  if (given.empty()) return {};
  const bool is_file = platform::path_of(given).extension() == platform::path_of(name).extension();
  store_path_ = is_file ? given : platform::joined(given, name);
  return settings.inputs.check_result(store_path_, "-o");
}

Result<void> LinkCommand::write_store(const LinkSettings& settings) {
  if (store_path_.empty()) return {};
  if (Result<void> safe = settings.inputs.check_result(store_path_, "-o"); !safe) return safe;
  const OutputFile file{store_path_, store_->bytes()};
  if (Result<void> written = write_files({&file, 1}); !written) return written;
  if (arguments_.depfile_target.empty())
    dependency_rules_ += dependency_rule({store_path_}, {prerequisites_.begin(), prerequisites_.end()});
  return {};
}

// What is read is known in full only when all is linked.
Result<void> LinkCommand::check_reports() const {
  for (const auto& [option, file] : arguments_.reports())
    if (Result<void> safe = inputs_.check_result(file, option); !safe) return safe;
  return {};
}

// Each report has a file of its own, which is none of the results.
Result<void> LinkCommand::keep_apart(const Collection& collection, const LinkSettings& settings) const {
  ReportFiles reports;
  for (const auto& [option, file] : arguments_.reports())
    if (Result<void> added = reports.add(option, file); !added) return added;
  if (!is_batch() && !settings.save_repro.empty())
    for (const std::string& file : repro_files(settings.save_repro))
      if (Result<void> added = reports.add("--save-repro", file); !added) return added;
  if (Result<void> free = reports.check_result(store_path_, "-o"); !free) return free;
  return check_report_names(reports, collection, settings);
}

report::RunRecord LinkCommand::run_record(const LinkSettings& settings) const {
  report::RunRecord run;
  run.version = kVersion;
  run.validator = spirv::validator_name();
  run.options = report::options_that_matter(settings.options);
  const auto sharing = report::options_that_matter(settings.shared_request());
  run.options.insert(run.options.end(), sharing.begin(), sharing.end());
  run.lists_modules = settings.sharing != Sharing::none;
  if (!arguments_.shard.empty())
    run.shard = report::ShardRecord{settings.shard.index, settings.shard.count, total_, std::nullopt};
  return run;
}

// Lines are for whoever follows the run, so that the file is not kept back until all of them are there.
Result<void> LinkCommand::begin_reports(const LinkSettings& settings) {
  const bool lists_modules = settings.sharing != Sharing::none;
  if (!arguments_.report.empty()) json_.emplace(lists_modules);
  if (arguments_.report_lines.empty()) return {};
  Result<LineStream> lines = LineStream::open(arguments_.report_lines);
  if (!lines) return lines.error();
  lines_.emplace(std::move(*lines));
  json_lines_.emplace(lists_modules, report::ReportForm::lines);
  lines_->write(json_lines_->begin(run_record(settings)));
  return {};
}

Result<void> LinkCommand::write_reports(const LinkSettings& settings) {
  report::RunRecord run = run_record(settings);
  if (run.shard) run.shard->positions = positions_;
  if (lines_) lines_->write(json_lines_->end());
  if (lines_ && lines_->failed())
    return make_error(ErrorKind::io, lines_->path(), "cannot write all lines of the report");
  std::vector<OutputFile> files;
  if (!arguments_.html.empty()) files.push_back({arguments_.html, report::html_report(run, records_)});
  if (!arguments_.dot.empty()) files.push_back({arguments_.dot, report::dot(records_)});
  if (json_ && !json_is_whole_)
    return make_error(ErrorKind::io, arguments_.report,
                      "no report, which is kept in the meantime: " + json_pipelines_.error());
  if (json_) files.push_back({arguments_.report, json_->begin(run), &json_pipelines_, json_->end()});
  return write_files(files);
}

// Files about the whole run, the summary, and the exit status.
int LinkCommand::finish(const LinkSettings& settings) {
  if (const Result<void> safe = check_reports(); !safe) return report_failure(safe.error(), status_);
  if (const Diagnostics unknown = unknown_spec_ids_.warnings(); is_batch() && !unknown.empty()) {
    print_diagnostics(unknown);
    if (arguments_.warnings_are_errors)
      status_ = report_failure(make_error(ErrorKind::usage, "", "warnings are treated as errors"), status_);
  }
  if (const Result<void> written = write_reports(settings); !written)
    status_ = report_failure(written.error(), status_);
  if (!arguments_.depfile_target.empty())
    dependency_rules_ = dependency_rule({arguments_.depfile_target}, {prerequisites_.begin(), prerequisites_.end()});
  if (settings.depfile_empty_rules) dependency_rules_ += empty_rules({prerequisites_.begin(), prerequisites_.end()});
  if (!arguments_.depfile.empty() && !dependency_rules_.empty()) {
    const OutputFile file{arguments_.depfile, dependency_rules_};
    if (const Result<void> written = write_files({&file, 1}); !written)
      status_ = report_failure(written.error(), status_);
  }
  if (names_validator_) print_validator();
  if (is_batch() && !arguments_.quiet) put_text(stdout, report::summary_table(totals_));
  if (settings.cache && settings.cache->use().not_stored > 0) {
    print_diagnostics({make_warning(settings.cache->folder(), settings.cache->use().not_stored_text())});
    if (settings.warnings_are_errors)
      status_ = report_failure(make_error(ErrorKind::io, "", "warnings are treated as errors"), status_);
  }
  if (settings.cache && !arguments_.quiet) std::printf("cache: %s\n", settings.cache->use().text().c_str());
  if (arguments_.outputs.empty() && !arguments_.quiet) std::puts("nothing was written: there is no -o");
  if (driver_) {
    if (is_batch() && !arguments_.quiet) put_text(stdout, driver_->summary());
    status_ = worse_status(status_, driver_->status());
  }
  if (!pictures_) return status_;
  if (is_batch() && !arguments_.quiet) std::printf("pictures: %s\n", pictures_->summary().c_str());
  return worse_status(status_, pictures_->status());
}

// What is not linked belongs to the first shard, behind all that is.
void LinkCommand::pass_through(std::span<const PassedThrough> others, const LinkSettings& settings) {
  if (settings.shard.index != 0) return;
  std::size_t position = total_ - others.size();
  for (const PassedThrough& other : others) {
    positions_.push_back(position++);
    report::ReportEntry record;
    record.name = other.name;
    record.remarks.push_back({"link", "", "passed through: " + other.reason});
    const Result<std::vector<OutputFile>> files = companions_of(other.companions, settings, {});
    const Result<void> written = files ? write_files(*files) : Result<void>(files.error());
    if (!written) {
      record.diagnostics.push_back(written.error());
      record.failure = written.error().kind;
      status_ = report_failure(written.error(), status_);
    }
    std::vector<std::string> targets;
    for (const OutputFile& file : files ? *files : std::vector<OutputFile>()) targets.push_back(file.path);
    prerequisites_.insert(other.files.begin(), other.files.end());
    if (has_rule_for_each()) dependency_rules_ += dependency_rule(targets, other.files);
    if (!arguments_.quiet) put_line(stdout, other.name + ": passed through: " + other.reason);
    this->record(std::move(record));
  }
}

void LinkCommand::link_sources(std::span<const PipelineSource> sources, const LinkSettings& settings) {
  const std::vector<std::size_t> ours = pipelines_of_shard(sources, settings.shard);
  Progress progress(ours.size(), is_batch() && !arguments_.quiet && !diagnostics_are_json());
  const auto take_at = [&](std::size_t position, LinkOutcome&& outcome) {
    positions_.push_back(position);
    take(std::move(outcome), progress);
  };
  if (!is_batch()) return take_at(0, link_one(sources.front(), settings));
  if (settings.sharing != Sharing::none || !settings.invariance_groups.empty())
    return link_shared(sources, settings, arguments_.jobs, take_at);
  link_all(sources, ours, settings, arguments_.jobs, take_at);
}

// One line for each pipeline, as sha256sum prints them.
int LinkCommand::print_keys(std::span<const PipelineSource> sources, const LinkSettings& settings) {
  const auto take_key = [&](std::size_t, LinkOutcome&& outcome) {
    const report::ReportEntry& record = outcome.record;
    status_ = worse_status(status_, exit_status(record.failure));
    print_diagnostics(record.diagnostics, record.name, is_batch());
    if (!record.cache_key.empty()) put_line(stdout, record.cache_key + "  " + record.name);
  };
  keys_of(sources, settings, arguments_.jobs, take_key);
  return status_;
}

// Every name of an --invariance-group is that of a pipeline.
Result<void> check_names(std::span<const PipelineSource> sources, const LinkSettings& settings) {
  for (const std::vector<std::string>& group : settings.invariance_groups)
    for (const std::string& name : group)
      if (std::none_of(sources.begin(), sources.end(), [&](const auto& source) { return source.name == name; }))
        return make_error(ErrorKind::usage, "", "--invariance-group: the manifest has no pipeline '" + name + "'");
  return {};
}

// What is in a cache goes into results as it is: whoever may write to it decides what they are.
Result<void> check_cache(const LinkSettings& settings) {
  if (!settings.cache || !platform::is_open_to_others(settings.cache->folder())) return {};
  const std::string text = "other users may write to the cache, and so decide what results are";
  if (settings.options.strict || settings.warnings_are_errors)
    return make_error(ErrorKind::usage, settings.cache->folder(), text);
  print_diagnostics({make_warning(settings.cache->folder(), text)});
  return {};
}

int LinkCommand::run() {
  if (arguments_.help_passes) {
    print_passes();
    return 0;
  }
  Result<LinkSettings> settings = settings_of(arguments_);
  if (!settings) return report_failure(settings.error());
  const Result<Collection> collection = collection_of(arguments_.inputs);
  if (!collection) return report_failure(collection.error());
  const std::vector<PipelineSource>* const sources = &collection->pipelines;
  total_ = sources->size() + collection->others.size();
  print_diagnostics(collection->warnings);
  if (const Result<void> safe = check_cache(*settings); !safe) return report_failure(safe.error());
  if (const Result<void> chosen = choose_store(*collection, *settings); !chosen) return report_failure(chosen.error());
  if (sources->size() > 1) settings->memo = std::make_shared<RunMemo>();
  settings->draws_values = !arguments_.dot.empty() || (!arguments_.html.empty() && sources->size() <= kMostDrawn);

  if (const Result<void> known = check_names(*sources, *settings); !known) return report_failure(known.error());
  for (const PipelineSource& source : *sources) {
    for (const frontend::SourceFile& file : source.files) settings->inputs.add(file.path);
    for (const std::string& file : source.described_by) settings->inputs.add(file);
  }
  for (const PassedThrough& other : collection->others)
    for (const std::string& file : other.files) settings->inputs.add(file);
  inputs_ = settings->inputs;
  if (const Result<void> safe = check_reports(); !safe) return report_failure(safe.error());
  if (const Result<void> apart = keep_apart(*collection, *settings); !apart) return report_failure(apart.error());
  // Lines would be in the way of what goes to standard output.
  if (!arguments_.options_with_standard_output().empty()) arguments_.quiet = true;
  if (arguments_.verify) {
    Result<PictureCheck> pictures = PictureCheck::start(arguments_.pictures);
    if (!pictures) {
      report_failure(pictures.error());
      return kStatusNoDriver;
    }
    pictures_.emplace(std::move(*pictures));
  }
  if (arguments_.measure) {
    Result<DriverMeasure> driver = DriverMeasure::start({arguments_.fail_above, arguments_.pictures.time_limit_s});
    if (!driver) {
      report_failure(driver.error());
      return kStatusNoDriver;
    }
    driver_.emplace(std::move(*driver));
  }
  if (arguments_.print_cache_key) return print_keys(*sources, *settings);
  if (const Result<void> begun = begin_reports(*settings); !begun) return report_failure(begun.error());
  link_sources(*sources, *settings);
  pass_through(collection->others, *settings);
  if (const Result<void> written = write_store(*settings); !written) status_ = report_failure(written.error(), status_);
  if (arguments_.cache_limit_mib) settings->cache->evict(*arguments_.cache_limit_mib * store::kMib);
  return finish(*settings);
}

}  // namespace

std::unique_ptr<Command> make_link_command() { return std::make_unique<LinkCommand>(); }

}  // namespace varylink::cli
