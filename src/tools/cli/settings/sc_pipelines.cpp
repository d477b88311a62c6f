#include "cli/settings/sc_pipelines.h"

#include <memory>

#include "formats/sc/pipeline_json.h"
#include "frontend/read_file.h"
#include "platform/path.h"

namespace varylink::cli {
namespace {

using formats::sc::PipelineJson;
using formats::sc::ShaderFile;

// A module as an offline compiler finds it: behind the folder, even if its name begins with a slash.
std::string module_path(const std::string& file, const std::string& name) {
  const std::string folder = platform::folder_of(file);
  return platform::normal(folder.empty() ? name : folder + "/" + name);
}

struct ScPipeline {
  PipelineJson json;
  std::string file, name;

  std::string json_name() const { return name + ".json"; }
  Result<std::vector<OutputFile>> companions(const std::string& folder,
                                             const std::map<Stage, std::string>& results) const;
};

Result<std::vector<OutputFile>> ScPipeline::companions(const std::string& folder,
                                                       const std::map<Stage, std::string>& results) const {
  std::vector<OutputFile> files;
  std::vector<std::string> names;
  for (const ShaderFile& shader : json.shaders) {
    const auto result = shader.stage ? results.find(*shader.stage) : results.end();
    if (result != results.end()) {
      names.push_back(platform::name_seen_from(folder, result->second));
      continue;
    }
    Result<std::string> bytes = frontend::read_file(module_path(file, shader.name));
    if (!bytes) return bytes.error();
    names.push_back(name + "/" + shader.short_name + ".spv");
    files.push_back({platform::joined(folder, names.back()), std::move(*bytes)});
  }
  files.push_back({platform::joined(folder, json_name()), formats::sc::with_shader_names(json, names)});
  return files;
}

}  // namespace

Result<void> add_sc_pipeline(std::string text, const std::string& file, PipelineNames& names, Collection& collection) {
  const auto read_module = [&](const std::string& name) -> std::optional<std::string> {
    Result<std::string> bytes = frontend::read_file(module_path(file, name));
    return bytes ? std::optional(std::move(*bytes)) : std::nullopt;
  };
  Result<PipelineJson> json = formats::sc::parse_pipeline_json(std::move(text), file, read_module);
  if (!json) return json.error();
  const auto pipeline = std::make_shared<ScPipeline>();
  pipeline->json = std::move(*json);
  pipeline->file = file;
  pipeline->name = platform::name_of(platform::path_of(file).stem());
  const std::string place = "of " + platform::file_part(file);
  if (const std::string wrong = names.take(pipeline->name, place, pipeline->json_name()); !wrong.empty())
    return make_error(ErrorKind::usage, file, wrong);
  const CompanionFiles companions = [pipeline](const std::string& folder, const std::map<Stage, std::string>& results) {
    return pipeline->companions(folder, results);
  };
  if (!pipeline->json.why_not.empty()) {
    PassedThrough other = {pipeline->name, pipeline->json.why_not, {file}, companions};
    for (const ShaderFile& shader : pipeline->json.shaders) other.files.push_back(module_path(file, shader.name));
    collection.others.push_back(std::move(other));
    return {};
  }
  PipelineSource source;
  source.name = pipeline->name;
  if (const Result<void> described = describe(pipeline->json.description, file, source); !described) return described;
  for (frontend::SourceFile& each : source.files)
    each.path = module_path(file, pipeline->json.description.stages[*each.stage].file);
  source.described_by = {file};
  source.companions = companions;
  collection.pipelines.push_back(std::move(source));
  return {};
}

}  // namespace varylink::cli
