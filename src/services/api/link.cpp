// varylink_link, varylink_check and varylink_analyze.
#include <memory>

#include "api/convert.h"
#include "api/guard.h"
#include "api/link_steps.h"
#include "api/valid_stages.h"
#include "check/issues_json.h"
#include "driver/link_pipeline.h"
#include "driver/unknown_partner.h"

namespace varylink::api {
namespace {

// Links and proves as asked.
link::LinkedPipeline link_and_prove(const link::PipelineInput& pipeline, const LinkRequest& request,
                                    std::optional<report::ProofRecord>& proof) {
  link::LinkedPipeline linked;
  driver::try_until_reached(driver::attempts(request.options, goals_of(request)),
                            [&](const driver::Attempt& attempt, driver::Goals) {
                              linked = driver::link_pipeline(pipeline, attempt.options);
                              return prove(pipeline, linked, request, attempt.options.level, proof);
                            });
  require_proof(request, proof, linked);
  return linked;
}

std::unique_ptr<varylink_result> link(const varylink_pipeline& given, LinkRequest request) {
  ValidStages valid_words(given.kept);
  if (!given.kept.empty()) request.options.valid_words = &valid_words;
  request.options.tells_positions = given.tells_positions;
  Reading reading = read(given, compile_options(given, request.options));
  link::LinkedPipeline linked;
  linked.failure = reading.failure;
  report::ReportEntry record;
  if (reading.failure == ErrorKind::none) linked = link_and_prove(reading.pipeline, request, record.proof);
  add_lines(given, request.options, linked);
  std::unique_ptr<varylink_result> result = result_of(given, request, std::move(reading), std::move(linked), record);
  if (request.has_report) result->report = report::json_report(run_record(request.options), {&record, 1});
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

void add_side(const driver::PartnerBounds& bounds, Stage stage, report::ReportEntry& record, varylink_result& result) {
  const link::LinkedPipeline& linked = bounds.linked;
  if (record.failure == ErrorKind::none) record.failure = linked.failure;
  record.diagnostics.insert(record.diagnostics.end(), linked.diagnostics.begin(), linked.diagnostics.end());
  record.remarks.insert(record.remarks.end(), linked.remarks.begin(), linked.remarks.end());
  const link::InterfaceReport* interface = driver::interface_at(linked, stage, bounds.side);
  if (interface == nullptr) return;
  record.interfaces.push_back(*interface);
  result.interfaces.push_back(*interface);
  result.bounds.push_back(bounds.least);
}

// One record for each stage, as if it were a pipeline of its own.
std::unique_ptr<varylink_result> analyze(const varylink_pipeline& given, const LinkRequest& request) {
  ValidStages valid_words(given.kept);
  auto result = std::make_unique<varylink_result>();
  Reading reading = read(given, compile_options(given, request.options));
  Teller teller(given, reading.pipeline, *result);
  for (const Diagnostic& diagnostic : reading.said) teller.tell(diagnostic);
  ErrorKind failure = reading.failure;
  link::LinkOptions options = request.options;
  options.fuel.reset();
  if (!given.kept.empty()) options.valid_words = &valid_words;
  std::vector<report::ReportEntry> records;
  for (const link::StageInput& stage : reading.pipeline.stages) {
    report::ReportEntry& record = records.emplace_back();
    record.name = stage.file;
    record.stages.push_back({stage.stage, stage.file, stage.entry_point, {}});
    Result<std::vector<driver::PartnerBounds>> sides = driver::bounds_with_any_partners(stage, options);
    if (!sides) {
      record.failure = sides.error().kind;
      record.diagnostics = {sides.error()};
    } else {
      for (const driver::PartnerBounds& bounds : *sides) add_side(bounds, stage.stage, record, *result);
    }
    for (const Diagnostic& diagnostic : record.diagnostics) teller.tell(diagnostic);
    if (failure == ErrorKind::none) failure = record.failure;
  }
  result->report = report::json_report(run_record(options), records);
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

varylink_status varylink_analyze(varylink_pipeline* pipeline, const varylink_link_options* options,
                                 varylink_result** result) {
  return varylink::api::run(pipeline, options, result, varylink::api::analyze);
}
