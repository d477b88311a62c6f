#include "cli/settings/output_names.h"

#include <algorithm>
#include <set>

#include "cli/files/output_files.h"
#include "cli/settings/inputs.h"
#include "cli/settings/usage.h"
#include "frontend/read_file.h"
#include "frontend/source_kind.h"
#include "platform/file_system.h"
#include "platform/path.h"

namespace varylink::cli {
namespace {

std::string file_name(const link::PipelineInput& pipeline, const link::StageInput& stage) {
  const std::string suffix(short_name(stage.stage));
  if (stage.file == frontend::display_name("-")) return suffix + ".spv";
  const std::string base(frontend::base_name(stage.file));
  const auto same = [&](const link::StageInput& other) { return other.file == stage.file; };
  const bool shared = std::count_if(pipeline.stages.begin(), pipeline.stages.end(), same) > 1;
  const bool named = !shared && (frontend::stage_from_path(stage.file) || stage.file.ends_with(".spv"));
  return named ? base + ".spv" : base + "." + suffix + ".spv";
}

// A folder need not exist; a file is what looks like a module or is there already.
bool names_file(const std::string& path) {
  const platform::FileKind kind = path == kStandardOutput ? platform::FileKind::none : platform::kind_of(path);
  if (kind != platform::FileKind::none) return kind != platform::FileKind::folder;
  return path == kStandardOutput || path.ends_with(".spv");
}

std::string shown(const std::string& path) { return path == kStandardOutput ? "standard output" : path; }

// The one stage that -o FILE is for.
Result<void> place_single(const link::PipelineInput& pipeline, const OutputPlan& plan, OutputPaths& paths) {
  std::vector<Stage> stages;
  for (const link::StageInput& stage : pipeline.stages)
    if (plan.files.count(stage.stage) == 0) stages.push_back(stage.stage);
  if (stages.size() == 1) {
    paths[stages.front()] = plan.single;
    return {};
  }
  std::string each;
  for (const Stage stage : stages) each += " -o " + std::string(short_name(stage)) + "=FILE";
  return usage("-o " + plan.single + " names " + (plan.single == kStandardOutput ? "standard output" : "a file") +
               ", which holds one stage, and the pipeline has " + std::to_string(stages.size()) +
               ": use -o DIR, or STAGE=FILE:" + each);
}

}  // namespace

Result<OutputPlan> output_plan_of(const std::vector<std::string>& outputs, bool manifest) {
  OutputPlan plan;
  plan.by_stage = manifest;
  for (const std::string& text : outputs) {
    const auto [stage, given_path] = split_stage(text);
    const std::string path = platform::with_slashes(given_path);
    if (path.empty()) return usage("-o needs a name");
    // A database has its modules in it; whether -o names it or its folder is decided when it has been read.
    const bool is_file = !stage && names_file(path) && !(manifest && path.ends_with(".foz"));
    if (stage && manifest) return usage("-o STAGE=FILE and --manifest exclude each other");
    if (is_file && manifest) return usage("-o " + path + " is a file; with --manifest -o names a folder");
    std::string& place = stage ? plan.files[*stage] : is_file ? plan.single : plan.folder;
    const std::string& other = stage ? place : is_file ? plan.folder : plan.single;
    for (const std::string& given : {place, other})
      if (!given.empty()) return usage("-o is given twice for the same thing: " + given + " and " + path);
    place = path;
  }
  return plan;
}

Result<OutputPaths> output_paths(const link::PipelineInput& pipeline, const OutputPlan& plan) {
  OutputPaths paths;
  if (plan.by_content || (plan.folder.empty() && plan.single.empty() && plan.files.empty())) return paths;
  if (!plan.single.empty())
    if (const Result<void> placed = place_single(pipeline, plan, paths); !placed) return placed.error();
  std::set<std::string> taken;
  for (const link::StageInput& stage : pipeline.stages) {
    const std::string suffix(short_name(stage.stage));
    std::string& path = paths[stage.stage];
    if (const auto named = plan.files.find(stage.stage); named != plan.files.end())
      path = named->second;
    else if (!path.empty())
      continue;  // -o FILE
    else if (plan.folder.empty())
      return usage("-o gives no file for stage " + suffix + ": use -o DIR, or -o " + suffix + "=FILE");
    else if (plan.by_stage)
      path = platform::joined(plan.folder, pipeline.name + "/" + suffix + ".spv");
    else
      path = platform::joined(plan.folder, file_name(pipeline, stage));
    if (!taken.insert(platform::comparable(path)).second)
      return usage("two stages would be written to " + shown(path) + ": use -o " + suffix + "=FILE for one of them");
  }
  for (const auto& [stage, path] : plan.files)
    if (paths.count(stage) == 0)
      return usage("-o " + std::string(short_name(stage)) + "=" + path + ": the pipeline has no such stage");
  return paths;
}

std::string content_path(const OutputPlan& plan, Stage stage, const std::string& content_hash) {
  constexpr std::size_t kDigits = 16;  // 64 bits: no two of the results in one folder will ever meet by chance
  const std::string name = content_hash.substr(0, kDigits) + "." + std::string(short_name(stage)) + ".spv";
  return platform::joined(plan.folder, name);
}

}  // namespace varylink::cli
