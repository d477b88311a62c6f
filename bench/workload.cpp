#include "workload.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "frontend/frontend.h"

namespace varylink::bench {
namespace {

// One line of a manifest -> the files of its stages; empty if the line is not as it should be.
std::vector<frontend::SourceFile> source_files(const nlohmann::json& line, const std::filesystem::path& folder) {
  std::vector<frontend::SourceFile> files;
  if (!line.is_object() || !line.contains("stages") || !line["stages"].is_object()) return files;
  for (const auto& [stage, path] : line["stages"].items()) {
    if (!path.is_string()) continue;
    files.push_back({(folder / path.get<std::string>()).string(), stage_from_short_name(stage), {}});
  }
  return files;
}

}  // namespace

Result<std::vector<Workload>> read_workloads(const std::string& manifest, std::size_t every) {
  std::ifstream stream(manifest);
  if (!stream) return make_error(ErrorKind::io, manifest, "cannot be read");
  const std::filesystem::path path = std::filesystem::absolute(manifest);
  const std::string set = path.stem() == "pipelines" ? path.parent_path().filename().string() : path.stem().string();

  std::vector<Workload> workloads;
  std::string text;
  for (std::size_t number = 0; std::getline(stream, text);) {
    const nlohmann::json line = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (text.empty() || number++ % every != 0) continue;
    const std::string name = line.is_object() ? line.value("name", "?") : "?";
    const auto loaded = frontend::load_pipeline(name, source_files(line, path.parent_path()), {});
    if (loaded)
      workloads.push_back({set, loaded->pipeline});
    else
      std::cerr << set << "/" << name << ": left out: " << render(loaded.error()) << "\n";
  }
  return workloads;
}

}  // namespace varylink::bench
