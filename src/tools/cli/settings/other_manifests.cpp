#include "cli/settings/other_manifests.h"

#include <algorithm>

#include "cli/settings/manifest.h"
#include "cli/settings/pipeline_names.h"
#include "cli/settings/recorded_pipelines.h"
#include "cli/settings/sc_pipelines.h"
#include "formats/sc/pipeline_json.h"
#include "frontend/read_file.h"
#include "platform/file_system.h"

namespace varylink::cli {
namespace {

// The pipelines of a folder, as offline compilers take them: its .json files, by name.
std::vector<std::string> json_files(const std::string& folder) {
  std::vector<std::string> files;
  for (platform::FileEntry& entry : platform::files_in(folder, false))
    if (entry.name.ends_with(".json")) files.push_back(std::move(entry.name));
  std::sort(files.begin(), files.end());
  return files;
}

Result<Collection> read_folder(const std::string& folder) {
  const std::vector<std::string> files = json_files(folder);
  if (files.empty())
    return make_error(ErrorKind::usage, folder, "the folder has no pipeline JSON: no file ends in .json");
  Collection collection;
  PipelineNames names;
  for (const std::string& file : files) {
    Result<std::string> text = frontend::read_file(file);
    if (!text) return text.error();
    if (const Result<void> added = add_sc_pipeline(std::move(*text), file, names, collection); !added)
      return added.error();
  }
  return collection;
}

}  // namespace

bool looks_like_manifest(const std::string& path) {
  return path.ends_with(".json") || path.ends_with(".foz") || platform::is_folder(path);
}

std::optional<Result<Collection>> read_other_manifest(const std::string& path) {
  if (platform::is_folder(path)) return read_folder(path);
  if (path.ends_with(".foz")) return read_recording(path);
  if (!path.ends_with(".json")) return std::nullopt;
  Result<std::string> text = frontend::read_file(path);
  if (!text) return Result<Collection>(text.error());
  if (!formats::sc::is_pipeline_json(*text)) return std::nullopt;
  Collection collection;
  PipelineNames names;
  if (const Result<void> added = add_sc_pipeline(std::move(*text), path, names, collection); !added)
    return Result<Collection>(added.error());
  return Result<Collection>(std::move(collection));
}

Result<Collection> read_any_manifest(const std::string& path) {
  if (std::optional<Result<Collection>> other = read_other_manifest(path)) return std::move(*other);
  Result<std::vector<PipelineSource>> sources = read_manifest(path);
  if (!sources) return sources.error();
  return Collection{std::move(*sources), {}};
}

}  // namespace varylink::cli
