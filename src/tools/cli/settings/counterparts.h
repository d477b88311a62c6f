// Which linked pipeline belongs to which original one: --against of the commands that compare the two.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/settings/inputs.h"

namespace varylink::cli {

// The linked pipelines in the order of `originals`. `against`: the files of one pipeline, or with a manifest among the
// inputs one other manifest with the same names, or the folder or Fossilize database that `link -o` wrote.
// Errors: usage and io.
Result<std::vector<PipelineSource>> counterparts(const std::vector<PipelineSource>& originals,
                                                 const InputOptions& inputs, const std::vector<std::string>& against);

// Adds --against.
void declare_against(CLI::App& app, std::vector<std::string>& against);

struct LoadedPair {
  link::PipelineInput original, linked;
};

// Loads an original and `linked`, its counterpart of the above. Only when the original is loaded it is known which
// files `link -o` wrote for a pipeline from the command line. Errors: those of load, and usage.
Result<LoadedPair> load_pair(const PipelineSource& original, const PipelineSource& linked,
                             const frontend::CompileOptions& compile, const InputOptions& inputs,
                             const std::vector<std::string>& against);

}  // namespace varylink::cli
