#include "api/link_steps.h"

#include <algorithm>
#include <optional>

#include "base/sha256.h"
#include "base/unsaid.h"
#include "base/version.h"
#include "driver/link_pipeline.h"
#include "driver/open_stage.h"
#include "driver/stage_cost.h"
#include "link/model/discard.h"
#include "link/rules/unused_declarations.h"
#include "report/proof_of_link.h"
#include "report/run_options.h"
#include "spirv/tools/tools.h"

namespace varylink::api {
namespace {

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

void keep_modules(link::LinkedPipeline& linked, const link::PipelineInput& read, varylink_result& result) {
  for (link::StageOutput& stage : linked.stages) {
    const auto input = std::find_if(read.stages.begin(), read.stages.end(),
                                    [&](const link::StageInput& candidate) { return candidate.stage == stage.stage; });
    result.modules.push_back({stage.stage, std::move(stage.words), input->entry_point, input->file});
  }
}

// Fills in what the stages cost before and after.
void measure(const std::vector<link::StageInput>& before, const std::vector<link::StageInput>& after,
             const analysis::CostProfile& profile, report::ReportEntry& record) {
  record.fragments_per_vertex = profile.fragments_per_vertex;
  for (report::StageRecord& stage : record.stages) {
    for (const link::StageInput& input : before)
      if (input.stage == stage.stage) stage.cost_before = driver::stage_cost(input, profile);
    for (const link::StageInput& output : after)
      if (output.stage == stage.stage) {
        stage.cost_after = driver::stage_cost(output, profile);
        for (const link::StageInput& input : before)
          if (input.stage == stage.stage && stage.cost_before && stage.cost_after)
            stage.compare(input, output, record.interfaces);
      }
  }
}

// Each module is read once for all that is said about it.
void report_stages(std::vector<link::StageInput>& before, const varylink_result& result, const LinkRequest& request,
                   report::ReportEntry& record) {
  std::vector<link::StageInput> after;
  for (const varylink_result::Module& module : result.modules)
    after.push_back({module.stage, module.name, module.words, module.entry_point});
  if (record.unchecked.empty()) driver::read_once(before, after);  // what was passed through unread was not validated
  record.unused = link::unused_declarations(before, after);
  if (request.profile) measure(before, after, *request.profile, record);
}

void record_contents(const varylink_result& result, report::ReportEntry& record) {
  for (report::StageRecord& stage : record.stages)
    for (const varylink_result::Module& module : result.modules)
      if (module.stage == stage.stage) {
        stage.content = content_hash(module.words);
        stage.bytes = module.words.size() * sizeof(std::uint32_t);
      }
}

}  // namespace

driver::Goals goals_of(const LinkRequest& request) {
  return request.prove == VARYLINK_PROVE_FALLBACK ? driver::kProved : 0u;
}

driver::Goals prove(const link::PipelineInput& pipeline, const link::LinkedPipeline& linked, const LinkRequest& request,
                    link::Level level, std::optional<report::ProofRecord>& proof) {
  proof.reset();
  if (linked.failure != ErrorKind::none || request.prove == VARYLINK_PROVE_NOTHING) return 0;
  proof = {report::proof_of_link(pipeline, linked, level), static_cast<int>(level)};
  return proof->proof.verdict == prove::Verdict::proved ? 0 : driver::kProved;
}

void require_proof(const LinkRequest& request, const std::optional<report::ProofRecord>& proof,
                   link::LinkedPipeline& linked) {
  if (proof && proof->proof.verdict != prove::Verdict::proved && request.prove == VARYLINK_PROVE_REQUIRE)
    report::refuse_unproved(linked, proof->proof);
}

Reading read(const varylink_pipeline& pipeline, const frontend::CompileOptions& compile) {
  Reading reading;
  Diagnostics messages;
  Result<frontend::LoadedPipeline> loaded = frontend::load_texts(pipeline.name, pipeline.sources, compile, &messages);
  if (!loaded) {
    add_unsaid(messages, loaded.error());
    reading.said = std::move(messages);
    reading.failure = loaded.error().kind;
    return reading;
  }
  reading.pipeline = std::move(loaded->pipeline);
  reading.pipeline.state = pipeline.state;
  reading.pipeline.layout = pipeline.layout;
  reading.said = std::move(loaded->warnings);
  for (Diagnostic& warning : link::settle_fragment_stage(reading.pipeline)) reading.said.push_back(std::move(warning));
  if (reading.pipeline.stages.empty()) {
    reading.said.push_back(make_error(ErrorKind::usage, {}, "the pipeline has no stages"));
    reading.failure = ErrorKind::usage;
  }
  return reading;
}

void Teller::tell(const Diagnostic& diagnostic, const char* rule) {
  result_.found.push_back({diagnostic, stage_called(diagnostic.file, read_, given_), rule});
  const varylink_context& context = *given_.context;
  if (context.message == nullptr) return;
  const varylink_diagnostic message = to_c(result_.found.back());
  context.message(context.message_user, &message);
}

frontend::CompileOptions compile_options(const varylink_pipeline& given, const link::LinkOptions& options) {
  frontend::CompileOptions compile = given.compile;
  compile.env = options.validator.env;
  return compile;
}

void add_lines(const varylink_pipeline& given, const link::LinkOptions& options, link::LinkedPipeline& linked) {
  frontend::CompileOptions compile = compile_options(given, options);
  if (compile.debug_info) return;
  compile.debug_info = true;
  driver::add_lines(linked, options, [&]() -> std::optional<link::PipelineInput> {
    Reading reading = read(given, compile);
    if (reading.failure != ErrorKind::none) return std::nullopt;
    return std::move(reading.pipeline);
  });
}

report::RunRecord run_record(const link::LinkOptions& options) {
  report::RunRecord run;
  run.version = kVersion;
  run.validator = spirv::validator_name();
  run.options = report::options_that_matter(options);
  return run;
}

std::unique_ptr<varylink_result> result_of(const varylink_pipeline& given, const LinkRequest& request, Reading reading,
                                           link::LinkedPipeline linked, report::ReportEntry& record) {
  auto result = std::make_unique<varylink_result>();
  record.name = given.name;
  for (const link::StageInput& stage : reading.pipeline.stages)
    record.stages.push_back({stage.stage, stage.file, stage.entry_point, {}});
  record.diagnostics = std::move(reading.said);
  record.diagnostics.insert(record.diagnostics.end(), linked.diagnostics.begin(), linked.diagnostics.end());
  record.failure = linked.failure;
  result->keeps_positions = linked.keeps_positions;
  record.interfaces = std::move(linked.interfaces);
  record.remarks = std::move(linked.remarks);
  record.assumptions = std::move(linked.assumptions);
  record.unchecked = std::move(linked.unchecked);

  Teller teller(given, reading.pipeline, *result);
  for (const Diagnostic& diagnostic : record.diagnostics) teller.tell(diagnostic);
  keep_modules(linked, reading.pipeline, *result);
  if (request.has_report) record_contents(*result, record);
  if (request.has_report && linked.failure == ErrorKind::none)
    report_stages(reading.pipeline.stages, *result, request, record);
  result->interfaces = record.interfaces;
  result->proof = record.proof;
  if (record.unused) result->unused = *record.unused;
  result->status = status_of(linked.failure);
  return result;
}

}  // namespace varylink::api
