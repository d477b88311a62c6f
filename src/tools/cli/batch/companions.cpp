#include "cli/batch/companions.h"

namespace varylink::cli {

Result<std::vector<OutputFile>> companions_of(const CompanionFiles& companions, const LinkSettings& settings,
                                              const OutputPaths& results) {
  if (!companions || settings.output.folder.empty()) return std::vector<OutputFile>();
  Result<std::vector<OutputFile>> files = companions(settings.output.folder, results);
  if (!files) return files;
  for (const OutputFile& file : *files)
    if (const Result<void> safe = settings.inputs.check_result(file.path, "-o"); !safe) return safe.error();
  return files;
}

}  // namespace varylink::cli
