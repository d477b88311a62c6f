#include "cli/settings/recorded_pipelines.h"

#include <map>
#include <memory>
#include <set>

#include "cli/files/output_files.h"
#include "formats/fossilize/linked_database.h"
#include "formats/fossilize/linked_pipelines.h"
#include "formats/fossilize/recording.h"
#include "frontend/read_file.h"
#include "platform/path.h"

namespace varylink::cli {
namespace {

using formats::fossilize::Entry;
using formats::fossilize::LinkedDatabase;
using formats::fossilize::RecordedPipeline;
using formats::fossilize::Recording;
using formats::fossilize::Tag;

class DatabaseStore : public PipelineStore {
 public:
  explicit DatabaseStore(std::shared_ptr<const Recording> recording)
      : recording_(std::move(recording)), database_(*recording_) {}

  void add(const std::string& pipeline, const std::vector<link::StageInput>& linked) override {
    const auto hash = formats::fossilize::hash_from_text(pipeline);
    const Entry* const entry = hash ? recording_->find(Tag::graphics_pipeline, *hash) : nullptr;
    std::map<Stage, std::span<const std::uint32_t>> words;
    for (const link::StageInput& stage : linked) words[stage.stage] = stage.words;
    if (entry) database_.add(*entry, words);
  }

  std::string bytes() const override { return database_.bytes(); }

  std::string file_name() const override { return platform::file_part(recording_->file()); }

 private:
  std::shared_ptr<const Recording> recording_;
  LinkedDatabase database_;
};

// Files of modules are the database and the hash: "game.foz:0123456789abcdef".
std::string module_file(const Recording& recording, const std::string& hash) { return recording.file() + ":" + hash; }

ModuleBytes module_bytes_of(const std::shared_ptr<const Recording>& recording) {
  return [recording](const std::string& path) -> Result<std::string> {
    const auto hash = formats::fossilize::hash_from_text(path.substr(recording->file().size() + 1));
    const auto module = recording->module(hash.value_or(0));
    if (!module) return module.error();
    return bytes_of(module->words);
  };
}

std::string why_not_linked(Tag tag) {
  if (tag == Tag::compute_pipeline) return "it is a compute pipeline";
  return tag == Tag::raytracing_pipeline ? "it is a ray tracing pipeline" : std::string();
}

struct RecordedEntry {
  std::uint64_t hash = 0;
  RecordedPipeline pipeline;
};

PipelineSource source_of(RecordedEntry&& found, const std::shared_ptr<const Recording>& recording) {
  PipelineSource source;
  source.name = formats::fossilize::hash_text(found.hash);
  for (const auto& [stage, given] : found.pipeline.description.stages) {
    source.files.push_back({module_file(*recording, given.file), stage, given.entry_point});
    source.stages[stage].specialization = given.specialization;
  }
  source.state = std::move(found.pipeline.description.state);
  source.layout = std::move(found.pipeline.description.layout);
  source.described_by = {recording->file()};
  source.module_bytes = module_bytes_of(recording);
  return source;
}

// The graphics pipelines; others are put down as passed through. Of entries with one hash the first counts.
std::vector<RecordedEntry> find_pipelines(const Recording& recording, Collection& collection) {
  std::vector<RecordedEntry> pipelines;
  for (const Entry& entry : recording.database().entries) {
    if (recording.find(entry.tag, entry.hash) != &entry) continue;
    if (const std::string reason = why_not_linked(entry.tag); !reason.empty())
      collection.others.push_back({formats::fossilize::hash_text(entry.hash), reason, {recording.file()}, {}});
    if (entry.tag == Tag::graphics_pipeline)
      pipelines.push_back({entry.hash, formats::fossilize::read_pipeline(recording, entry)});
  }
  return pipelines;
}

Result<std::shared_ptr<const Recording>> open_recording(const std::string& path) {
  Result<std::string> bytes = frontend::read_large_file(path);
  if (!bytes) return bytes.error();
  Result<Recording> recording = Recording::read(std::move(*bytes), path);
  if (!recording) return recording.error();
  return std::make_shared<const Recording>(std::move(*recording));
}

Collection contents_of(const std::shared_ptr<const Recording>& recording) {
  const std::string& path = recording->file();
  Collection collection;
  collection.store = std::make_shared<DatabaseStore>(recording);
  if (recording->database().is_cut_off)
    collection.warnings.push_back(make_warning(path, "the last entry is cut off, and is left out"));
  std::vector<RecordedEntry> pipelines = find_pipelines(*recording, collection);
  std::set<std::uint64_t> bases;
  for (const RecordedEntry& found : pipelines)
    if (found.pipeline.base) bases.insert(*found.pipeline.base);
  for (RecordedEntry& found : pipelines) {
    std::string reason = found.pipeline.why_not;
    if (reason.empty() && bases.count(found.hash) != 0) reason = "other pipelines derive from it";
    if (reason.empty())
      collection.pipelines.push_back(source_of(std::move(found), recording));
    else
      collection.others.push_back({formats::fossilize::hash_text(found.hash), std::move(reason), {path}, {}});
  }
  return collection;
}

// Stands for a result that the database `linked` does not tell from others: reading it is the error.
PipelineSource lost(PipelineSource pipeline, const std::string& linked) {
  const Diagnostic error = make_error(ErrorKind::usage, linked,
                                      "does not tell which pipeline was made of " + pipeline.name +
                                          ": link what `varylink import` writes, and compare that");
  pipeline.module_bytes = [error](const std::string&) -> Result<std::string> { return error; };
  return pipeline;
}

}  // namespace

Result<Collection> read_recording(const std::string& path) {
  const Result<std::shared_ptr<const Recording>> recording = open_recording(path);
  if (!recording) return recording.error();
  return contents_of(*recording);
}

Result<std::vector<PipelineSource>> linked_recording(const std::vector<PipelineSource>& pipelines,
                                                     const std::string& original, const std::string& linked) {
  const Result<std::shared_ptr<const Recording>> before = open_recording(original), after = open_recording(linked);
  if (!before) return before.error();
  if (!after) return after.error();
  const std::map<std::uint64_t, std::uint64_t> hashes = formats::fossilize::linked_pipelines(**before, **after);
  const Collection results = contents_of(*after);
  std::map<std::string, const PipelineSource*> by_name;
  for (const PipelineSource& result : results.pipelines) by_name[result.name] = &result;
  std::vector<PipelineSource> found;
  for (const PipelineSource& pipeline : pipelines) {
    const auto hash = hashes.find(formats::fossilize::hash_from_text(pipeline.name).value_or(0));
    const auto result =
        hash == hashes.end() ? by_name.end() : by_name.find(formats::fossilize::hash_text(hash->second));
    found.push_back(result == by_name.end() ? lost(pipeline, linked) : *result->second);
    found.back().state = pipeline.state;
    found.back().layout = pipeline.layout;
  }
  return found;
}

}  // namespace varylink::cli
