#include "cli/settings/counterparts.h"

#include <map>

#include "cli/settings/other_manifests.h"
#include "cli/settings/output_names.h"
#include "cli/settings/recorded_pipelines.h"
#include "cli/settings/usage.h"
#include "platform/file_system.h"
#include "platform/path.h"

namespace varylink::cli {
namespace {

// Where the modules of a result stand unless something says another place.
Result<std::vector<frontend::SourceFile>> files_by_stage(const PipelineSource& original, const std::string& folder) {
  std::vector<frontend::SourceFile> files;
  for (const frontend::SourceFile& file : original.files) {
    if (!file.stage) return usage(original.name + ": a stage is not known");
    const std::string name = original.name + "/" + std::string(short_name(*file.stage)) + ".spv";
    files.push_back({platform::joined(folder, name), file.stage, file.entry_point});
  }
  return files;
}

// Pipeline JSON of Vulkan SC names the modules of its result; shared ones stand in no folder of their own.
Result<std::vector<frontend::SourceFile>> files_in_folder(const PipelineSource& original, const std::string& folder) {
  const std::string json = platform::joined(folder, original.name + ".json");
  if (!original.companions || platform::kind_of(json) != platform::FileKind::regular)
    return files_by_stage(original, folder);
  Result<Collection> written = read_any_manifest(json);
  if (!written) return written.error();
  return written->pipelines.size() == 1 ? std::move(written->pipelines.front().files)
                                        : files_by_stage(original, folder);
}

Result<std::vector<PipelineSource>> counterparts_in_folder(const std::vector<PipelineSource>& originals,
                                                           const std::string& folder) {
  std::vector<PipelineSource> result;
  for (const PipelineSource& original : originals) {
    Result<std::vector<frontend::SourceFile>> files = files_in_folder(original, folder);
    if (!files) return files.error();
    PipelineSource linked;
    linked.name = original.name;
    linked.files = std::move(*files);
    linked.state = original.state;
    linked.layout = original.layout;
    result.push_back(std::move(linked));
  }
  return result;
}

Result<std::vector<PipelineSource>> counterparts_in_manifest(const std::vector<PipelineSource>& originals,
                                                             const std::string& against) {
  const Result<Collection> others = read_any_manifest(against);
  if (!others) return others.error();
  std::map<std::string, const PipelineSource*> by_name;
  for (const PipelineSource& other : others->pipelines) by_name[other.name] = &other;
  std::vector<PipelineSource> result;
  for (const PipelineSource& original : originals) {
    const auto found = by_name.find(original.name);
    if (found == by_name.end()) return usage(against + " has no pipeline '" + original.name + "'");
    result.push_back(*found->second);
  }
  return result;
}

bool is_folder(const std::vector<std::string>& against) {
  return against.size() == 1 && platform::is_folder(against.front());
}

Result<PipelineSource> counterpart_of(const link::PipelineInput& original, const PipelineSource& linked,
                                      const InputOptions& inputs, const std::vector<std::string>& against) {
  if (!inputs.manifest.empty() || !is_folder(against)) return linked;
  OutputPlan plan;
  plan.folder = against.front();
  const Result<OutputPaths> paths = output_paths(original, plan);
  if (!paths) return paths.error();
  PipelineSource result;
  result.name = original.name;
  result.state = original.state;
  for (const link::StageInput& stage : original.stages)
    result.files.push_back({paths->at(stage.stage), stage.stage, stage.entry_point});
  return result;
}

Result<std::vector<PipelineSource>> find_counterparts(const std::vector<PipelineSource>& originals,
                                                      const InputOptions& inputs,
                                                      const std::vector<std::string>& against) {
  if (inputs.manifest.empty()) {
    InputOptions linked;
    linked.files = against;
    return pipelines_of(linked);
  }
  if (against.size() != 1) return usage("--against takes one manifest or folder with --manifest");
  const std::string& given = against.front();
  if (inputs.manifest.ends_with(".foz")) {
    const std::string database =
        is_folder(against) ? platform::joined(given, platform::file_part(inputs.manifest)) : given;
    return linked_recording(originals, inputs.manifest, database);
  }
  return is_folder(against) ? counterparts_in_folder(originals, given) : counterparts_in_manifest(originals, given);
}

}  // namespace

Result<std::vector<PipelineSource>> counterparts(const std::vector<PipelineSource>& originals,
                                                 const InputOptions& inputs, const std::vector<std::string>& against) {
  Result<std::vector<PipelineSource>> found = find_counterparts(originals, inputs, against);
  if (found)
    for (std::size_t i = 0; i < found->size() && i < originals.size(); ++i)
      (*found)[i].entry_points = originals[i].entry_points;
  return found;
}

void declare_against(CLI::App& app, std::vector<std::string>& against) {
  app.add_option(
         "--against", against,
         "the linked pipeline: its files, or the folder that link -o wrote; with --manifest another manifest with "
         "the same names, or that folder; with a Fossilize database the one that link wrote, or its folder")
      ->required()
      ->expected(1, -1)
      ->type_name("FILE...|DIR");
}

Result<LoadedPair> load_pair(const PipelineSource& original, const PipelineSource& linked,
                             const frontend::CompileOptions& compile, const InputOptions& inputs,
                             const std::vector<std::string>& against) {
  Result<frontend::LoadedPipeline> before = load(original, compile);
  if (!before) return before.error();
  const Result<PipelineSource> partner = counterpart_of(before->pipeline, linked, inputs, against);
  if (!partner) return partner.error();
  Result<frontend::LoadedPipeline> after = load(*partner, compile);
  if (!after) return after.error();
  return LoadedPair{std::move(before->pipeline), std::move(after->pipeline)};
}

}  // namespace varylink::cli
