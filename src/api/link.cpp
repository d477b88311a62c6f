// varylink_link and varylink_check.
#include <algorithm>
#include <memory>

#include "api/convert.h"
#include "api/guard.h"
#include "base/version.h"
#include "check/issues_json.h"
#include "driver/link_pipeline.h"
#include "inspect/stage_cost.h"
#include "link/conformance/unused_declarations.h"
#include "link/model/discard.h"
#include "report/json_report.h"
#include "report/proof_of_link.h"
#include "report/run_options.h"
#include "spirv/tools/tools.h"

namespace varylink::api {
namespace {

// A pipeline that was read, or why it cannot be.
struct Reading {
  link::PipelineInput pipeline;
  Diagnostics said;
  ErrorKind failure = ErrorKind::none;
};

Reading read(const varylink_pipeline& pipeline, const frontend::CompileOptions& compile) {
  Reading reading;
  Diagnostics messages;
  Result<frontend::LoadedPipeline> loaded = frontend::load_texts(pipeline.name, pipeline.sources, compile, &messages);
  if (loaded) {
    reading.pipeline = std::move(loaded->pipeline);
    reading.pipeline.state = pipeline.state;
    reading.pipeline.layout = pipeline.layout;
    reading.said = std::move(loaded->warnings);
    for (Diagnostic& warning : link::leave_out_discarded(reading.pipeline)) reading.said.push_back(std::move(warning));
    return reading;
  }
  // The compiler's own list has the error in it; anything else that stopped the loading is not in the list.
  if (loaded.error().kind != ErrorKind::glsl || messages.empty()) messages.push_back(loaded.error());
  reading.said = std::move(messages);
  reading.failure = loaded.error().kind;
  return reading;
}

// The stage that a diagnostic about `file` concerns, if only one has that name.
std::optional<Stage> stage_called(const std::string& file, const link::PipelineInput& read,
                                  const varylink_pipeline& given) {
  std::vector<std::optional<Stage>> stages;
  for (const link::StageInput& stage : read.stages)
    if (stage.file == file) stages.emplace_back(stage.stage);
  if (read.stages.empty())  // reading failed: what the program said about the sources
    for (const frontend::SourceText& source : given.sources)
      if (source.file.path == file) stages.push_back(source.file.stage);
  return stages.size() == 1 ? stages.front() : std::nullopt;
}

// Collects what is said about a pipeline and tells it to the program at once.
class Teller {
 public:
  Teller(const varylink_pipeline& given, const link::PipelineInput& read, varylink_result& result)
      : given_(given), read_(read), result_(result) {}

  void tell(const Diagnostic& diagnostic, const char* rule = "") {
    result_.found.push_back({diagnostic, stage_called(diagnostic.file, read_, given_), rule});
    const varylink_context& context = *given_.context;
    if (context.message == nullptr) return;
    const varylink_diagnostic message = to_c(result_.found.back());
    context.message(context.message_user, &message);
  }

 private:
  const varylink_pipeline& given_;
  const link::PipelineInput& read_;
  varylink_result& result_;
};

void keep_modules(link::LinkedPipeline& linked, const link::PipelineInput& read, varylink_result& result) {
  for (link::StageOutput& stage : linked.stages) {
    const auto input = std::find_if(read.stages.begin(), read.stages.end(),
                                    [&](const link::StageInput& candidate) { return candidate.stage == stage.stage; });
    result.modules.push_back({stage.stage, std::move(stage.words), input->entry_point, input->file});
  }
}

// Fills in what the stages cost before and after.
void measure(const link::PipelineInput& before, const varylink_result& after, const analysis::CostProfile& profile,
             report::PipelineRecord& record) {
  for (report::StageRecord& stage : record.stages) {
    for (const link::StageInput& input : before.stages)
      if (input.stage == stage.stage) stage.cost_before = inspect::stage_cost(input, profile);
    for (const varylink_result::Module& module : after.modules)
      if (module.stage == stage.stage)
        stage.cost_after = inspect::stage_cost({module.stage, module.name, module.words, module.entry_point}, profile);
  }
}

std::string report_of(const report::PipelineRecord& record, const LinkRequest& request) {
  report::RunRecord run;
  run.version = kVersion;
  run.validator = spirv::validator_name();
  run.options = report::options_that_matter(request.options);
  return report::json_report(run, {&record, 1});
}

// Links and proves as asked. What must be proved and is not becomes a failure.
link::LinkedPipeline link_and_prove(const link::PipelineInput& pipeline, const LinkRequest& request,
                                    std::optional<report::ProofRecord>& proof) {
  link::LinkOptions options = request.options;
  for (;; options.level = static_cast<link::Level>(static_cast<int>(options.level) - 1)) {
    link::LinkedPipeline linked = driver::link_pipeline(pipeline, options);
    proof.reset();
    if (linked.failure != ErrorKind::none || request.prove == VARYLINK_PROVE_NOTHING) return linked;
    proof = {report::proof_of_link(pipeline, linked, options.level), static_cast<int>(options.level)};
    const bool proved = proof->proof.verdict == prove::Verdict::proved;
    if (!proved && request.prove == VARYLINK_PROVE_FALLBACK && options.level != link::Level::check) continue;
    if (!proved && request.prove == VARYLINK_PROVE_REQUIRE) report::refuse_unproved(linked, proof->proof);
    return linked;
  }
}

// GLSL that was compiled without lines is compiled once more with them, so that a mismatch says where it is. Nothing of
// those modules is kept.
void add_lines(const varylink_pipeline& given, frontend::CompileOptions compile, link::LinkOptions options,
               link::LinkedPipeline& linked) {
  if (linked.failure != ErrorKind::interface_mismatch || compile.debug_info) return;
  compile.debug_info = true;
  const Reading reading = read(given, compile);
  if (reading.failure != ErrorKind::none) return;
  options.level = link::Level::check;
  link::LinkedPipeline checked = driver::link_pipeline(reading.pipeline, options);
  if (checked.failure == linked.failure) linked.diagnostics = std::move(checked.diagnostics);
}

std::unique_ptr<varylink_result> link(const varylink_pipeline& given, const LinkRequest& request) {
  const link::LinkOptions& options = request.options;
  auto result = std::make_unique<varylink_result>();
  frontend::CompileOptions compile = given.compile;
  compile.env = options.validator.env;
  Reading reading = read(given, compile);
  link::LinkedPipeline linked;
  linked.failure = reading.failure;
  report::PipelineRecord record;
  if (reading.failure == ErrorKind::none) linked = link_and_prove(reading.pipeline, request, record.proof);
  add_lines(given, compile, options, linked);

  record.name = given.name;
  for (const link::StageInput& stage : reading.pipeline.stages)
    record.stages.push_back({stage.stage, stage.file, stage.entry_point, {}});
  record.diagnostics = std::move(reading.said);
  record.diagnostics.insert(record.diagnostics.end(), linked.diagnostics.begin(), linked.diagnostics.end());
  record.failure = linked.failure;
  record.interfaces = std::move(linked.interfaces);
  record.remarks = std::move(linked.remarks);
  record.assumptions = std::move(linked.assumptions);

  Teller teller(given, reading.pipeline, *result);
  for (const Diagnostic& diagnostic : record.diagnostics) teller.tell(diagnostic);
  if (linked.failure == ErrorKind::none)
    record.unused = link::unused_declarations(reading.pipeline.stages, linked.stages);
  keep_modules(linked, reading.pipeline, *result);
  if (request.profile) measure(reading.pipeline, *result, *request.profile, record);
  result->report = report_of(record, request);
  result->interfaces = std::move(record.interfaces);
  result->proof = std::move(record.proof);
  result->status = status_of(linked.failure);
  return result;
}

std::unique_ptr<varylink_result> check(const varylink_pipeline& given, const check::CheckOptions& options) {
  auto result = std::make_unique<varylink_result>();
  frontend::CompileOptions compile = given.compile;
  compile.env = options.validator.env;
  compile.debug_info = true;  // for the lines; nothing that is compiled here is kept
  Reading reading = read(given, compile);
  check::PipelineIssues found;
  found.name = given.name;
  found.reading = std::move(reading.said);
  ErrorKind failure = reading.failure;
  if (failure == ErrorKind::none) {
    found.issues = check::check_pipeline(reading.pipeline, options);
    failure = check::worst_kind(found.issues);
  }
  Teller teller(given, reading.pipeline, *result);
  for (const Diagnostic& diagnostic : found.reading) teller.tell(diagnostic, check::reading_rule(diagnostic));
  for (const check::Issue& issue : found.issues) teller.tell(issue.diagnostic, check::row_of(issue.rule).name);
  result->report = check::issues_json({&found, 1});
  result->status = status_of(failure);
  return result;
}

template <typename Options, typename Work>
varylink_status run(varylink_pipeline* pipeline, const Options* options, varylink_result** result, Work work) {
  if (result != nullptr) *result = nullptr;
  if (pipeline == nullptr) return VARYLINK_ERROR_INVALID_ARGUMENT;
  return guarded(*pipeline->context, [&]() -> Result<varylink_status> {
    if (result == nullptr) return misuse("result is NULL");
    const auto known = options_from_c(options);
    if (!known) return known.error();
    std::unique_ptr<varylink_result> made = work(*pipeline, *known);
    *result = made.release();
    return (*result)->status;
  });
}

}  // namespace
}  // namespace varylink::api

varylink_status varylink_link(varylink_pipeline* pipeline, const varylink_link_options* options,
                              varylink_result** result) {
  return varylink::api::run(pipeline, options, result, varylink::api::link);
}

varylink_status varylink_check(varylink_pipeline* pipeline, const varylink_check_options* options,
                               varylink_result** result) {
  return varylink::api::run(pipeline, options, result, varylink::api::check);
}
