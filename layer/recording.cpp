#include "recording.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include "formats/create_info.h"
#include "formats/created_pipeline.h"
#include "linking.h"
#include "platform/file_system.h"
#include "platform/path.h"
#include "spirv/tools/tools.h"
#include "store/temporary_file.h"

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

std::string cannot_write(const std::string& path, int error) {
  return path + " cannot be written: " + std::strerror(error);
}

// As replace_file does it: nobody sees a part of it. Gives why it could not be written.
std::string write_whole(const std::string& path, const std::string& bytes) {
  const Result<void> written = store::replace_file(path, bytes);
  return written ? std::string() : path + ": " + written.error().message;
}

}  // namespace

Recorder::Recorder(std::string folder) : folder_(std::move(folder)) {
  int error = platform::make_folders(platform::joined(folder_, "modules"));
  folder_ = platform::real_name(folder_);  // where the program does not lead it elsewhere
  const std::string path = platform::joined(folder_, kManifest);
  if (error == EEXIST) error = 0;
  if (error == 0) error = manifest_.open(path);
  if (error == 0) {
    const std::lock_guard turn(manifest_);
    error = manifest_.read_others();
  }
  if (error != 0) problem_ = cannot_write(path, error);
}

std::string Recorder::keep_module(const Words& words, Stage stage, std::string& name) {
  name = formats::module_file(words, stage);
  if (modules_.count(name) != 0) return {};
  const std::string bytes(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(words[0]));
  std::string problem = write_whole(platform::joined(folder_, name), bytes);
  if (problem.empty()) modules_.insert(name);
  return problem;
}

// Other programs recorded with other devices.
std::string Recorder::keep_options(const Target& target) {
  const std::string path = platform::joined(folder_, kOptions);
  spirv::ValidatorOptions all = validator_of(target);
  if (const std::optional<std::string> there = bytes_of(path)) all = formats::joined(all, formats::options_in(*there));
  return write_whole(path, formats::options_text(all));
}

std::string Recorder::add_line(const std::string& key, const link::PipelineDescription& description,
                               const Target& target) {
  const std::string path = platform::joined(folder_, kManifest);
  const std::lock_guard turn(manifest_);
  if (const int error = manifest_.read_others(); error != 0) return cannot_write(path, error);
  if (manifest_.has(key)) return {};
  if (std::string problem = keep_options(target); !problem.empty()) return problem;
  const int error = manifest_.add(key, formats::manifest_line(key, description));
  return error == 0 ? std::string() : cannot_write(path, error);
}

std::string Recorder::record(const std::string& key, const Subject& subject, const Target& target) {
  if (!problem_.empty()) return problem_;
  const std::lock_guard lock(mutex_);
  if (manifest_.has(key)) return {};
  link::PipelineDescription description = subject.description;
  for (const Subject::StageCode& stage : subject.stages) {
    std::string name;
    if (std::string problem = keep_module(*stage.words, stage.stage, name); !problem.empty()) return problem;
    description.stages[stage.stage].file = name;
  }
  return add_line(key, description, target);
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
