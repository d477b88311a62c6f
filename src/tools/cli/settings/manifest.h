// Manifests: many pipelines, one JSON object per line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/settings/inputs.h"

namespace varylink::cli {

// The pipelines of a manifest file ("-" is standard input), in its order. Blank lines are skipped. Paths are relative
// to the folder of the manifest.
// Errors: io; usage, with line and column, for a line that is not JSON or not a pipeline, a key that is not known
// (those that begin with "x-" are the application's own), a name that is used twice, would lead out of the output
// folder, or has a folder where another pipeline has a file.
Result<std::vector<PipelineSource>> read_manifest(const std::string& path);

// The same for a text; `path` is used for messages and for the folder.
Result<std::vector<PipelineSource>> parse_manifest(std::string_view text, const std::string& path);

}  // namespace varylink::cli
