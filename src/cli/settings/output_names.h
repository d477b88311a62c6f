// Where the linked stages are written.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "link/model/pipeline.h"

namespace varylink::cli {

// What the -o options say. Nothing set: nothing is written. "-" as a file is standard output.
struct OutputPlan {
  std::string folder;
  std::string single;                  // -o FILE, for the one stage that has no file of its own
  std::map<Stage, std::string> files;  // -o stage=FILE
  bool by_stage = false;               // manifest: folder/<pipeline name>/<stage>.spv
  bool by_content = false;             // shared modules: see content_path
};

// -o NAME is a file if NAME is "-", or ends in ".spv", or exists, and is not a folder; else it is a folder.
// Error (usage): two folders, two files for one stage, an empty name, a file with `manifest`.
Result<OutputPlan> output_plan_of(const std::vector<std::string>& outputs, bool manifest);

using OutputPaths = std::map<Stage, std::string>;

// The path for every stage; an empty map if nothing is to be written. From files on the command line, a.vert and
// a.vert.glsl give folder/a.vert.spv, x.spv gives folder/x.spv, standard input gives folder/vert.spv; a file that
// stands for several stages has the stage added.
// Error (usage): two stages would get the same file, or a stage gets none, or -o names a stage that is not there, or
// one file for several stages.
Result<OutputPaths> output_paths(const link::PipelineInput& pipeline, const OutputPlan& plan);

// folder/<first digits of the content's hash>.<stage>.spv, so that equal results are one file.
std::string content_path(const OutputPlan& plan, Stage stage, const std::string& content_hash);

}  // namespace varylink::cli
