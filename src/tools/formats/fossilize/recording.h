// A database by its contents: pipelines, and the objects that they refer to by hash.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/strict_json.h"
#include "formats/fossilize/database.h"
#include "formats/fossilize/modules.h"
#include "link/model/pipeline_description.h"

namespace varylink::formats::fossilize {

// Immutable, so that any number of threads may ask it.
class Recording {
 public:
  // Reads the entries; payloads are read when they are asked for. Errors: those of read_database.
  static Result<Recording> read(std::string bytes, const std::string& file);

  const Database& database() const { return database_; }
  const std::string& file() const { return file_; }

  // The first entry with that tag and hash, as Fossilize has it.
  const Entry* find(Tag tag, std::uint64_t hash) const;
  // The payload of an entry that is JSON. Errors: usage, naming file and entry.
  Result<std::string> text_of(const Entry& entry) const;
  // Error: usage; there is no such module, or it is damaged.
  Result<ShaderModule> module(std::uint64_t hash) const;
  // The name of an entry in messages.
  std::string name_of(const Entry& entry) const;

 private:
  Database database_;
  std::string file_;
  std::map<std::pair<Tag, std::uint64_t>, std::size_t> places_;
};

// A graphics pipeline of a recording.
struct RecordedPipeline {
  std::string text;                       // its JSON
  link::PipelineDescription description;  // the stages' files are hashes of modules, as text
  std::map<Stage, JsonPath> modules;      // where `text` names them
  std::optional<std::uint64_t> base;      // the pipeline that it derives from
  std::string why_not;                    // why it is not for linking; then there is no description
};

// Never fails: a damaged pipeline comes out as one that is not linked.
RecordedPipeline read_pipeline(const Recording& recording, const Entry& entry);

// 16 hexadecimal digits.
std::optional<std::uint64_t> hash_from_text(std::string_view text);

}  // namespace varylink::formats::fossilize
