#include "formats/fossilize/recording.h"

#include <algorithm>
#include <charconv>

namespace varylink::formats::fossilize {

std::optional<std::uint64_t> hash_from_text(std::string_view text) {
  std::uint64_t hash = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(hash) : std::nullopt;
}

Result<Recording> Recording::read(std::string bytes, const std::string& file) {
  Result<Database> database = read_database(std::move(bytes), file);
  if (!database) return database.error();
  Recording recording;
  recording.database_ = std::move(*database);
  recording.file_ = file;
  const std::vector<Entry>& entries = recording.database_.entries;
  for (std::size_t i = 0; i < entries.size(); ++i) recording.places_.try_emplace({entries[i].tag, entries[i].hash}, i);
  return recording;
}

const Entry* Recording::find(Tag tag, std::uint64_t hash) const {
  const auto place = places_.find({tag, hash});
  return place == places_.end() ? nullptr : &database_.entries[place->second];
}

std::string Recording::name_of(const Entry& entry) const { return file_ + ":" + hash_text(entry.hash); }

Result<std::string> Recording::text_of(const Entry& entry) const {
  Result<std::string> payload = payload_of(entry, file_);
  if (payload) payload->resize(std::min(payload->find('\0'), payload->size()));
  return payload;
}

Result<ShaderModule> Recording::module(std::uint64_t hash) const {
  const Entry* const entry = find(Tag::shader_module, hash);
  if (!entry) return make_error(ErrorKind::usage, file_, "there is no module " + hash_text(hash));
  const Result<std::string> payload = payload_of(*entry, file_);
  if (!payload) return payload.error();
  return read_module(*payload, hash, name_of(*entry));
}

}  // namespace varylink::formats::fossilize
