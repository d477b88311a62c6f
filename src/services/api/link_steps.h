// From a pipeline of the C interface to its result: the steps that varylink_link and varylink_group_link share.
#pragma once

#include <memory>

#include "api/convert.h"
#include "api/handles.h"
#include "driver/attempts.h"
#include "frontend/frontend.h"
#include "link/model/pipeline.h"
#include "report/json_report.h"
#include "report/report_entry.h"

namespace varylink::api {

// A pipeline that was read, or why it cannot be.
struct Reading {
  link::PipelineInput pipeline;
  Diagnostics said;
  ErrorKind failure = ErrorKind::none;
};

Reading read(const varylink_pipeline& pipeline, const frontend::CompileOptions& compile);

// Collects messages about a pipeline and tells them to the program at once.
class Teller {
 public:
  Teller(const varylink_pipeline& given, const link::PipelineInput& read, varylink_result& result)
      : given_(given), read_(read), result_(result) {}

  void tell(const Diagnostic& diagnostic, const char* rule = "");

 private:
  const varylink_pipeline& given_;
  const link::PipelineInput& read_;
  varylink_result& result_;
};

// How the GLSL of the pipeline is compiled for a link with these options.
frontend::CompileOptions compile_options(const varylink_pipeline& given, const link::LinkOptions& options);

// A mismatch of stages that were compiled without lines gets them, see driver::add_lines.
void add_lines(const varylink_pipeline& given, const link::LinkOptions& options, link::LinkedPipeline& linked);

// Results that are not proved are linked in other ways if that was asked.
driver::Goals goals_of(const LinkRequest& request);

// Proves as asked a result that was linked at this level, and returns the goals that it misses.
driver::Goals prove(const link::PipelineInput& pipeline, const link::LinkedPipeline& linked, const LinkRequest& request,
                    link::Level level, std::optional<report::ProofRecord>& proof);
// A result that has to be proved and is not becomes a failure.
void require_proof(const LinkRequest& request, const std::optional<report::ProofRecord>& proof,
                   link::LinkedPipeline& linked);

// The report's record of the library and the options.
report::RunRecord run_record(const link::LinkOptions& options);

// The result without its report, whose record goes to `record`; the proof is in there already.
std::unique_ptr<varylink_result> result_of(const varylink_pipeline& given, const LinkRequest& request, Reading reading,
                                           link::LinkedPipeline linked, report::ReportEntry& record);

}  // namespace varylink::api
