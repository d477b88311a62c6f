#include "formats/fossilize/linked_database.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "formats/fossilize/hasher.h"
#include "formats/fossilize/pipeline_hash.h"
#include "formats/json_text.h"

namespace varylink::formats::fossilize {
namespace {

// The hash of a pipeline with other modules. Where Fossilize's own cannot be computed, which the original shows, it is
// made of the old one and the modules: it only has to be another one.
std::uint64_t hash_with_modules(const std::string& original, const std::string& linked, std::uint64_t hash,
                                const std::vector<std::uint64_t>& modules) {
  if (hash_of_pipeline(original, hash) == hash)
    if (const auto exact = hash_of_pipeline(linked, hash)) return *exact;
  Hasher hasher;
  hasher.u64(hash);
  for (const std::uint64_t module : modules) hasher.u64(module);
  return hasher.get();
}

// Of a link from an application to one of its objects (compute_hash_application_info_link).
std::uint64_t hash_of_link(std::uint64_t application, Tag tag, std::uint64_t hash) {
  Hasher hasher;
  hasher.u64(application);
  hasher.u32(static_cast<std::uint32_t>(tag));
  hasher.u64(hash);
  return hasher.get();
}

std::string link_bytes(std::uint64_t application, Tag tag, std::uint64_t hash, bool is_deflated) {
  const std::string text = "{\"version\":6,\"link\":{\"application\":\"" + hash_text(application) +
                           "\",\"tag\":" + std::to_string(static_cast<std::uint32_t>(tag)) + ",\"hash\":\"" +
                           hash_text(hash) + "\"}}";
  return entry_bytes(Tag::application_blob_link, hash_of_link(application, tag, hash), text, is_deflated);
}

struct Link {
  std::uint64_t application = 0, hash = 0;
};

// What a link to a graphics pipeline says; none for other links.
std::optional<Link> read_link(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  const auto link = json.is_object() ? json.find("link") : json.end();
  if (link == json.end() || !link->is_object()) return std::nullopt;
  const auto tag = link->find("tag"), hash = link->find("hash"), application = link->find("application");
  if (tag == link->end() || hash == link->end() || application == link->end() || !hash->is_string() ||
      !application->is_string() || *tag != static_cast<std::uint32_t>(Tag::graphics_pipeline))
    return std::nullopt;
  const auto from = hash_from_text(application->get_ref<const std::string&>());
  const auto to = hash_from_text(hash->get_ref<const std::string&>());
  return from && to ? std::optional(Link{*from, *to}) : std::nullopt;
}

}  // namespace

// The module's own hash, or the next one that is not that of another module.
std::uint64_t LinkedDatabase::free_hash(const ShaderModule& module) const {
  std::uint64_t hash = hash_of(module);
  while (recording_.find(Tag::shader_module, hash)) {
    const Result<ShaderModule> other = recording_.module(hash);
    if (other && other->words == module.words && other->flags == module.flags) break;
    ++hash;
  }
  return hash;
}

void LinkedDatabase::add(const Entry& entry, const std::map<Stage, std::span<const std::uint32_t>>& linked) {
  const RecordedPipeline original = read_pipeline(recording_, entry);
  Pipeline pipeline;
  JsonEdits edits;
  std::vector<std::uint64_t> modules;
  for (const auto& [stage, words] : linked) {
    const auto place = original.modules.find(stage);
    const auto old = hash_from_text(original.description.stages.at(stage).file);
    const Result<ShaderModule> before = recording_.module(old.value_or(0));
    if (place == original.modules.end() || !before) continue;
    const ShaderModule module = {{words.begin(), words.end()}, before->flags};
    if (module.words == before->words) continue;
    modules.push_back(free_hash(module));
    edits.values[place->second] = hash_text(modules.back());
    if (recording_.find(Tag::shader_module, modules.back())) continue;
    pipeline.modules.push_back(modules.back());
    pipeline.entries.push_back(
        {Tag::shader_module, modules.back(),
         entry_bytes(Tag::shader_module, modules.back(), module_payload(module, modules.back()), true)});
  }
  if (modules.empty()) return;
  const std::string text = edited(original.text, edits);
  pipeline.hash = hash_with_modules(original.text, text, entry.hash, modules);
  JsonEdits rename;
  rename.keys[{"graphicsPipelines", hash_text(entry.hash)}] = hash_text(pipeline.hash);
  pipeline.entries.push_back(
      {Tag::graphics_pipeline, pipeline.hash,
       entry_bytes(Tag::graphics_pipeline, pipeline.hash, edited(text, rename), entry.is_deflated)});
  pipelines_[entry.hash] = std::move(pipeline);
}

// What stands in place of a link; empty if it is not one to a pipeline that changed.
std::vector<LinkedDatabase::NewEntry> LinkedDatabase::linked_links(const Entry& entry) const {
  const Result<std::string> text = recording_.text_of(entry);
  const std::optional<Link> link = text ? read_link(*text) : std::nullopt;
  const auto pipeline = link ? pipelines_.find(link->hash) : pipelines_.end();
  if (pipeline == pipelines_.end()) return {};
  std::vector<NewEntry> links;
  const auto add = [&](Tag tag, std::uint64_t hash) {
    links.push_back({Tag::application_blob_link, hash_of_link(link->application, tag, hash),
                     link_bytes(link->application, tag, hash, entry.is_deflated)});
  };
  for (const std::uint64_t module : pipeline->second.modules) add(Tag::shader_module, module);
  add(Tag::graphics_pipeline, pipeline->second.hash);
  return links;
}

std::string LinkedDatabase::bytes() const {
  std::string bytes(recording_.database().header);
  std::set<std::pair<Tag, std::uint64_t>> written;
  // The same module, pipeline or link may come from several pipelines; the first one counts.
  const auto append = [&](const std::vector<NewEntry>& entries) {
    for (const NewEntry& entry : entries)
      if (written.emplace(entry.tag, entry.hash).second) bytes += entry.bytes;
  };
  for (const Entry& entry : recording_.database().entries) {
    const auto linked = entry.tag == Tag::graphics_pipeline ? pipelines_.find(entry.hash) : pipelines_.end();
    if (linked != pipelines_.end()) {
      append(linked->second.entries);
      continue;
    }
    const std::vector<NewEntry> links =
        entry.tag == Tag::application_blob_link ? linked_links(entry) : std::vector<NewEntry>();
    if (links.empty())
      bytes += entry.bytes;
    else
      append(links);
  }
  return bytes;
}

}  // namespace varylink::formats::fossilize
