#include "cli/batch/report_names.h"

#include "cli/batch/companions.h"

namespace varylink::cli {
namespace {

// A companion that cannot be read is an error of its pipeline, later.
Result<void> check_companions(const ReportFiles& reports, const CompanionFiles& companions,
                              const LinkSettings& settings, const OutputPaths& results) {
  const Result<std::vector<OutputFile>> files = companions_of(companions, settings, results);
  if (!files) return {};
  for (const OutputFile& file : *files)
    if (Result<void> free = reports.check_result(file.path, "-o"); !free) return free;
  return {};
}

Result<void> check_pipeline(const ReportFiles& reports, const PipelineSource& source, const LinkSettings& settings) {
  for (const std::string& path : possible_outputs(source.name, source.files, settings.output)) {
    if (Result<void> free = reports.check_result(path, "-o"); !free) return free;
    if (!settings.depfile_beside_outputs) continue;
    if (Result<void> free = reports.check_result(path + ".d", "-MD"); !free) return free;
  }
  if (!source.companions) return {};
  OutputPaths results;
  for (const frontend::SourceFile& file : source.files)
    if (file.stage) results[*file.stage] = path_by_stage(settings.output, source.name, *file.stage);
  return check_companions(reports, source.companions, settings, results);
}

}  // namespace

Result<void> check_report_names(const ReportFiles& reports, const Collection& collection,
                                const LinkSettings& settings) {
  if (reports.empty()) return {};
  for (const PipelineSource& source : collection.pipelines)
    if (Result<void> free = check_pipeline(reports, source, settings); !free) return free;
  for (const PassedThrough& other : collection.others)
    if (Result<void> free = check_companions(reports, other.companions, settings, {}); !free) return free;
  return reports.check_results([&](const std::string& path) { return may_be_content_path(settings.output, path); },
                               "-o");
}

}  // namespace varylink::cli
