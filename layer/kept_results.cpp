#include "kept_results.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "linking.h"
#include "spirv/ir/header_words.h"
#include "spirv/tools/tools.h"
#include "store/word_bytes.h"
#include "varylink/varylink.h"

namespace varylink::layer {
namespace {

using Json = nlohmann::json;

Json size_json(const InterfaceSize& size) { return Json::array({size.components, size.locations}); }
InterfaceSize size_of(const Json& json) { return {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>()}; }

std::string encode(const LinkedModules& linked) {
  Json modules = Json::array();
  for (const auto& [stage, words] : linked.modules)
    modules.push_back(Json::array({static_cast<int>(stage), Json::binary(store::bytes_from_words(words))}));
  const Json json = {{"disposition", static_cast<int>(linked.disposition)},
                     {"reason", linked.reason},
                     {"before", size_json(linked.before)},
                     {"after", size_json(linked.after)},
                     {"steps", linked.steps},
                     {"report", linked.report},
                     {"modules", std::move(modules)}};
  std::string bytes;
  Json::to_cbor(json, bytes);
  return bytes;
}

// Throws Json::exception if the bytes are of something else.
LinkedModules linked_of(const Json& json) {
  LinkedModules linked;
  linked.disposition = static_cast<Disposition>(json.at("disposition").get<int>());
  linked.reason = json.at("reason").get<std::string>();
  linked.before = size_of(json.at("before"));
  linked.after = size_of(json.at("after"));
  linked.steps = json.at("steps").get<std::uint64_t>();
  linked.report = json.at("report").get<std::string>();
  for (const Json& module : json.at("modules"))
    linked.modules[static_cast<Stage>(module.at(0).get<int>())] = store::words_from_bytes(module.at(1).get_binary());
  linked.is_final = true;
  return linked;
}

// A driver gets what is in the entry: modules for exactly these stages, or none.
bool fits(const LinkedModules& linked, const Subject& subject) {
  if (linked.disposition == Disposition::unchanged || linked.disposition == Disposition::passed_through)
    return linked.modules.empty();
  return linked.disposition == Disposition::linked && linked.modules.size() == subject.stages.size() &&
         std::all_of(subject.stages.begin(), subject.stages.end(), [&](const Subject::StageCode& stage) {
           const auto module = linked.modules.find(stage.stage);
           return module != linked.modules.end() && !module->second.empty() && module->second.front() == spirv::kMagic;
         });
}

}  // namespace

std::string KeptResults::key_of(const Subject& subject, const Target& target, const Settings& settings) {
  Sha256 hash;
  for (const std::string& part : {std::string("layer"), std::string(varylink_version_string()), spirv::tools_version(),
                                  layer::key_of(subject, target)}) {
    hash.add(std::uint64_t{part.size()});
    hash.add(std::string_view(part));
  }
  hash.add(static_cast<std::uint64_t>(settings.level));
  hash.add(std::uint64_t{settings.assume_single_pass ? 1u : 0u});
  return hash.hex();
}

std::optional<LinkedModules> KeptResults::load(const std::string& key, const Subject& subject) const {
  const std::optional<std::string> bytes = cache_.load(key);
  if (!bytes) return std::nullopt;
  const Json json = Json::from_cbor(*bytes, true, false);
  if (json.is_discarded()) return std::nullopt;
  try {
    LinkedModules linked = linked_of(json);
    return fits(linked, subject) ? std::optional(std::move(linked)) : std::nullopt;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::string KeptResults::keep(const std::string& key, const LinkedModules& linked) const {
  if (!linked.is_final) return {};
  const std::size_t before = cache_.use().not_stored;
  cache_.store(key, encode(linked));
  return before == 0 && cache_.use().not_stored == 1 ? cache_.folder() + ": " + cache_.use().not_stored_text()
                                                     : std::string();
}

}  // namespace varylink::layer
