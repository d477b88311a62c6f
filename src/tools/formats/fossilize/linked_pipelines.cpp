#include "formats/fossilize/linked_pipelines.h"

#include <string>
#include <vector>

#include "formats/json_text.h"

namespace varylink::formats::fossilize {
namespace {

// Pipelines by all that linking keeps of their text.
using ByKeptText = std::map<std::string, std::vector<std::uint64_t>>;

std::string kept_text(const RecordedPipeline& pipeline, std::uint64_t hash) {
  JsonEdits edits;
  for (const auto& [stage, place] : pipeline.modules) edits.values[place] = "";
  edits.keys[{"graphicsPipelines", hash_text(hash)}] = "";
  return edited(pipeline.text, edits);
}

// The pipelines for linking that `other` does not have, in their order.
ByKeptText only_in(const Recording& recording, const Recording& other) {
  ByKeptText pipelines;
  for (const Entry& entry : recording.database().entries) {
    if (entry.tag != Tag::graphics_pipeline || recording.find(entry.tag, entry.hash) != &entry) continue;
    if (other.find(entry.tag, entry.hash)) continue;
    const RecordedPipeline pipeline = read_pipeline(recording, entry);
    if (pipeline.why_not.empty()) pipelines[kept_text(pipeline, entry.hash)].push_back(entry.hash);
  }
  return pipelines;
}

}  // namespace

std::map<std::uint64_t, std::uint64_t> linked_pipelines(const Recording& original, const Recording& linked) {
  std::map<std::uint64_t, std::uint64_t> pairs;
  for (const Entry& entry : original.database().entries)
    if (entry.tag == Tag::graphics_pipeline && linked.find(entry.tag, entry.hash)) pairs[entry.hash] = entry.hash;
  const ByKeptText results = only_in(linked, original);
  for (const auto& [text, hashes] : only_in(original, linked)) {
    const auto found = results.find(text);
    if (found == results.end()) continue;
    const std::vector<std::uint64_t>& others = found->second;
    const bool all_came_out_equal = others.size() == 1;
    if (!all_came_out_equal && others.size() != hashes.size()) continue;
    for (std::size_t i = 0; i < hashes.size(); ++i) pairs[hashes[i]] = others[all_came_out_equal ? 0 : i];
  }
  return pairs;
}

}  // namespace varylink::formats::fossilize
