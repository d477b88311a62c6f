#include "cli/settings/output_names.h"

#include <algorithm>
#include <set>

#include "cli/files/output_files.h"
#include "cli/settings/inputs.h"
#include "cli/settings/usage.h"
#include "driver/one_module.h"
#include "frontend/read_file.h"
#include "frontend/source_kind.h"
#include "platform/file_system.h"
#include "platform/path.h"
#include "platform/place.h"

namespace varylink::cli {
namespace {

constexpr std::size_t kContentDigits = 16;  // 64 bits: no two of the results in one folder will ever meet by chance

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

// The names that file_name may give.
std::vector<std::string> possible_names(const std::string& file) {
  std::vector<std::string> names;
  const std::string base(file == "-" ? "" : frontend::base_name(frontend::display_name(file)));
  if (!base.empty()) names.push_back(base + ".spv");
  for (int i = 0; i < kStageCount; ++i) {
    const std::string suffix(short_name(static_cast<Stage>(i)));
    names.push_back((base.empty() ? "" : base + ".") + suffix + ".spv");
  }
  return names;
}

std::string shown(const std::string& path) { return path == kStandardOutput ? "standard output" : path; }

// The one stage that -o FILE is for, or all of one module.
Result<void> place_single(const link::PipelineInput& pipeline, const OutputPlan& plan, OutputPaths& paths) {
  std::vector<Stage> stages;
  for (const link::StageInput& stage : pipeline.stages)
    if (plan.files.count(stage.stage) == 0) stages.push_back(stage.stage);
  if (stages.size() == 1 || (plan.files.empty() && driver::came_as_one(pipeline.stages))) {
    for (const Stage stage : stages) paths[stage] = plan.single;
    return {};
  }
  std::string each;
  for (const Stage stage : stages) each += " -o " + std::string(short_name(stage)) + "=FILE";
  return usage("-o " + plan.single + " names " + (plan.single == kStandardOutput ? "standard output" : "a file") +
               ", which holds one stage or what came as one module, and the pipeline has " +
               std::to_string(stages.size()) + ": use -o DIR, or STAGE=FILE:" + each);
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
      path = path_by_stage(plan, pipeline.name, stage.stage);
    else
      path = platform::joined(plan.folder, file_name(pipeline, stage));
    // The stages of a manifest have names of their own, and may be too many to ask the system about.
    if (!plan.by_stage && !taken.insert(path == kStandardOutput ? path : platform::place_of(path)).second)
      return usage("two stages would be written to " + shown(path) + ": use -o " + suffix + "=FILE for one of them");
  }
  for (const auto& [stage, path] : plan.files)
    if (paths.count(stage) == 0)
      return usage("-o " + std::string(short_name(stage)) + "=" + path + ": the pipeline has no such stage");
  return paths;
}

std::vector<std::string> possible_outputs(const std::string& pipeline, const std::vector<frontend::SourceFile>& sources,
                                          const OutputPlan& plan) {
  std::vector<std::string> paths;
  if (plan.by_content) return paths;
  if (!plan.single.empty()) paths.push_back(plan.single);
  for (const auto& [stage, path] : plan.files) paths.push_back(path);
  std::erase(paths, kStandardOutput);
  if (plan.folder.empty()) return paths;
  for (const frontend::SourceFile& source : sources) {
    if (plan.by_stage && source.stage) paths.push_back(path_by_stage(plan, pipeline, *source.stage));
    if (plan.by_stage) continue;
    for (const std::string& name : possible_names(source.path)) paths.push_back(platform::joined(plan.folder, name));
  }
  return paths;
}

std::string path_by_stage(const OutputPlan& plan, const std::string& pipeline, Stage stage) {
  return platform::joined(plan.folder, pipeline + "/" + std::string(short_name(stage)) + ".spv");
}

std::string content_path(const OutputPlan& plan, Stage stage, const std::string& content_hash) {
  const std::string name = content_hash.substr(0, kContentDigits) + "." + std::string(short_name(stage)) + ".spv";
  return platform::joined(plan.folder, name);
}

bool may_be_content_path(const OutputPlan& plan, const std::string& path) {
  if (!plan.by_content || plan.folder.empty()) return false;
  const std::string folder = platform::folder_of(path), name = platform::file_part(path);
  if (platform::place_of(folder.empty() ? "." : folder) != platform::place_of(plan.folder)) return false;
  for (int i = 0; i < kStageCount; ++i)
    if (name.size() > kContentDigits &&
        name.substr(kContentDigits) == "." + std::string(short_name(static_cast<Stage>(i))) + ".spv")
      return name.find_first_not_of("0123456789abcdef") == kContentDigits;
  return false;
}

}  // namespace varylink::cli
