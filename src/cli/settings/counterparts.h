// Which linked pipeline belongs to which original one: --against of the commands that compare the two.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/settings/inputs.h"

namespace varylink::cli {

// The linked pipelines in the order of `originals`. `against`: the files of one pipeline, or with a manifest among the
// inputs one other manifest with the same names, or the folder that `link -o` wrote. Errors: usage and io.
Result<std::vector<PipelineSource>> counterparts(const std::vector<PipelineSource>& originals,
                                                 const InputOptions& inputs, const std::vector<std::string>& against);

// What `linked`, one of the above, is when the original is loaded: only then is it known which files `link -o` wrote
// for a pipeline from the command line. Errors: usage.
Result<PipelineSource> counterpart_of(const link::PipelineInput& original, const PipelineSource& linked,
                                      const InputOptions& inputs, const std::vector<std::string>& against);

}  // namespace varylink::cli
