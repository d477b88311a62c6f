// Where the linked stages are written.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/frontend.h"
#include "link/model/pipeline.h"

namespace varylink::cli {

// The meaning of the -o options. Nothing set: nothing is written. "-" as a file is standard output.
struct OutputPlan {
  std::string folder;
  std::string single;                  // -o FILE, for the one stage that has no file of its own
  std::map<Stage, std::string> files;  // -o stage=FILE
  bool by_stage = false;               // manifest: folder/<pipeline name>/<stage>.spv
  bool by_content = false;             // shared modules: see content_path
};

// -o NAME is a file, for one stage or for all that came as one module, if NAME is "-", or ends in ".spv", or exists,
// and is not a folder; else it is a folder. Error (usage): two folders, two files for one stage, an empty name, a file
// with `manifest`.
Result<OutputPlan> output_plan_of(const std::vector<std::string>& outputs, bool manifest);

using OutputPaths = std::map<Stage, std::string>;

// The path for every stage; an empty map if nothing is to be written. From files on the command line, a.vert and
// a.vert.glsl give folder/a.vert.spv, x.spv gives folder/x.spv, standard input gives folder/vert.spv; a file that
// stands for several stages has the stage added.
// Error (usage): two stages would get the same file, or a stage gets none, or -o names a stage that is not there, or
// one file for several stages that did not come as one module.
Result<OutputPaths> output_paths(const link::PipelineInput& pipeline, const OutputPlan& plan);

// Every file that output_paths may name for a pipeline of these sources, whatever is in them, apart from standard
// output. From the command line these are more than there will be: the entry points of a module decide which stages it
// has.
std::vector<std::string> possible_outputs(const std::string& pipeline, const std::vector<frontend::SourceFile>& sources,
                                          const OutputPlan& plan);

// folder/<pipeline>/<stage>.spv, for plans that are `by_stage`.
std::string path_by_stage(const OutputPlan& plan, const std::string& pipeline, Stage stage);

// folder/<first digits of the content's hash>.<stage>.spv, so that equal results are one file.
std::string content_path(const OutputPlan& plan, Stage stage, const std::string& content_hash);
// True for all that content_path gives, whatever the hash.
bool may_be_content_path(const OutputPlan& plan, const std::string& path);

}  // namespace varylink::cli
