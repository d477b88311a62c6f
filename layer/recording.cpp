#include "recording.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "formats/create_info.h"
#include "formats/created_pipeline.h"
#include "linking.h"
#include "platform/file_system.h"
#include "platform/output_file.h"
#include "platform/path.h"
#include "platform/program.h"
#include "spirv/tools/tools.h"

namespace varylink::layer {
namespace {

constexpr const char* kManifest = "manifest.jsonl";
constexpr const char* kOptions = "options.txt";

std::optional<std::string> bytes_of(const std::string& name) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(platform::open_for_reading(name), std::fclose);
  if (!file) return std::nullopt;
  std::string bytes;
  char part[4096];
  for (std::size_t count = 0; (count = std::fread(part, 1, sizeof part, file.get())) != 0;) bytes.append(part, count);
  return bytes;
}

// Names in a manifest, up to what is not a whole line.
std::set<std::string> names_in(const std::string& manifest) {
  std::set<std::string> names;
  for (std::size_t at = 0, end = 0; (end = manifest.find('\n', at)) != std::string::npos; at = end + 1) {
    const auto json = nlohmann::json::parse(manifest.substr(at, end - at), nullptr, false);
    if (json.is_object() && json.contains("name") && json["name"].is_string())
      names.insert(json["name"].get<std::string>());
  }
  return names;
}

std::string cannot_write(const std::string& path, int error) {
  return path + " cannot be written: " + std::strerror(error);
}

}  // namespace

Recorder::Recorder(std::string folder) : folder_(std::move(folder)) {
  int error = platform::make_folders(platform::joined(folder_, "modules"));
  const std::string path = platform::joined(folder_, kManifest);
  if (error == EEXIST) error = 0;
  if (error == 0) {
    const std::string before = bytes_of(path).value_or("");
    keys_ = names_in(before);
    error = manifest_.open(path);
    if (error == 0 && !before.empty() && before.back() != '\n') error = manifest_.append("\n");
  }
  if (error != 0) problem_ = cannot_write(path, error);
}

// Under another name first: nobody sees a part of it.
std::string Recorder::write_new(const std::string& path, std::string_view bytes) {
  const std::string other = path + "." + std::to_string(platform::process_id()) + ".tmp";
  platform::OutputFile file;
  int error = file.make_kept(other);
  if (error == 0) error = file.write(bytes);
  if (error == 0) error = file.check_written();
  if (error == 0) error = file.rename(other, path);
  if (error == 0) return {};
  (void)platform::remove(other);
  return cannot_write(path, error);
}

std::string Recorder::keep_options(const Target& target) {
  const spirv::ValidatorOptions needed = validator_of(target);
  const spirv::ValidatorOptions all = formats::joined(options_.value_or(needed), needed);
  if (options_ == all) return {};
  std::string problem = write_new(platform::joined(folder_, kOptions), formats::options_text(all));
  if (problem.empty()) options_ = all;
  return problem;
}

std::string Recorder::keep_module(const Words& words, Stage stage, std::string& name) {
  name = formats::module_file(words, stage);
  if (modules_.count(name) != 0) return {};
  const std::string path = platform::joined(folder_, name);
  const auto bytes = std::string_view(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(words[0]));
  if (platform::size_of(path) != bytes.size())
    if (std::string problem = write_new(path, bytes); !problem.empty()) return problem;
  modules_.insert(name);
  return {};
}

std::string Recorder::record(const std::string& key, const Subject& subject, const Target& target) {
  if (!problem_.empty()) return problem_;
  const std::lock_guard lock(mutex_);
  if (keys_.count(key) != 0) return {};
  if (std::string problem = keep_options(target); !problem.empty()) return problem;
  link::PipelineDescription description = subject.description;
  for (const Subject::StageCode& stage : subject.stages) {
    std::string name;
    if (std::string problem = keep_module(*stage.words, stage.stage, name); !problem.empty()) return problem;
    description.stages[stage.stage].file = name;
  }
  const int error = manifest_.append(formats::manifest_line(key, description) + "\n");
  if (error != 0) return cannot_write(platform::joined(folder_, kManifest), error);
  keys_.insert(key);
  return {};
}

LinkedModules load_linked(const std::string& folder, const std::string& key, const Subject& subject,
                          const Target& target) {
  LinkedModules linked;
  linked.reason = "there is no result for it";
  bool is_other = false;
  for (const Subject::StageCode& stage : subject.stages) {
    const std::string name = key + "/" + std::string(short_name(stage.stage)) + ".spv";
    const std::optional<std::string> bytes = bytes_of(platform::joined(folder, name));
    if (!bytes || bytes->size() % sizeof(std::uint32_t) != 0) return linked;
    Words words(bytes->size() / sizeof(std::uint32_t));
    std::memcpy(words.data(), bytes->data(), bytes->size());
    if (!spirv::validate(words, validator_of(target), name)) {
      linked.reason = "its result is not valid";
      return linked;
    }
    is_other |= words != *stage.words;
    linked.modules[stage.stage] = std::move(words);
  }
  linked.reason.clear();
  linked.disposition = is_other ? Disposition::linked : Disposition::unchanged;
  return linked;
}

}  // namespace varylink::layer
