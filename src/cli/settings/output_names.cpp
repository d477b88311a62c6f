#include "cli/settings/output_names.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/settings/inputs.h"
#include "cli/settings/usage.h"
#include "frontend/read_file.h"
#include "frontend/source_kind.h"

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

}  // namespace

Result<OutputPlan> output_plan_of(const std::vector<std::string>& outputs, bool manifest) {
  OutputPlan plan;
  plan.by_stage = manifest;
  for (const std::string& text : outputs) {
    const auto [stage, path] = split_stage(text);
    if (path.empty()) return usage("-o needs a name");
    if (stage && manifest) return usage("-o STAGE=FILE and --manifest exclude each other");
    std::string& place = stage ? plan.files[*stage] : plan.folder;
    if (!place.empty()) return usage("-o is given twice for the same thing: " + place + " and " + path);
    place = path;
  }
  return plan;
}

Result<OutputPaths> output_paths(const link::PipelineInput& pipeline, const OutputPlan& plan) {
  OutputPaths paths;
  if (plan.by_content || (plan.folder.empty() && plan.files.empty())) return paths;
  const std::filesystem::path folder = plan.folder;
  std::set<std::string> taken;
  for (const link::StageInput& stage : pipeline.stages) {
    const std::string suffix(short_name(stage.stage));
    std::string& path = paths[stage.stage];
    if (const auto named = plan.files.find(stage.stage); named != plan.files.end())
      path = named->second;
    else if (plan.folder.empty())
      return usage("-o gives no file for stage " + suffix + ": use -o DIR, or -o " + suffix + "=FILE");
    else if (plan.by_stage)
      path = (folder / pipeline.name / (suffix + ".spv")).string();
    else
      path = (folder / file_name(pipeline, stage)).string();
    if (!taken.insert(path).second)
      return usage("two stages would be written to " + path + ": use -o " + suffix + "=FILE for one of them");
  }
  for (const auto& [stage, path] : plan.files)
    if (paths.count(stage) == 0)
      return usage("-o " + std::string(short_name(stage)) + "=" + path + ": the pipeline has no such stage");
  return paths;
}

std::string content_path(const OutputPlan& plan, Stage stage, const std::string& content_hash) {
  constexpr std::size_t kDigits = 16;  // 64 bits: no two of the results in one folder will ever meet by chance
  const std::string name = content_hash.substr(0, kDigits) + "." + std::string(short_name(stage)) + ".spv";
  return (std::filesystem::path(plan.folder) / name).string();
}

}  // namespace varylink::cli
