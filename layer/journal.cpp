#include "journal.h"

#include <vulkan/vulkan_core.h>

#include <cstdio>
#include <nlohmann/json.hpp>

namespace varylink::layer {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(Disposition disposition) {
  switch (disposition) {
    case Disposition::linked: return "linked";
    case Disposition::recorded: return "recorded";
    case Disposition::unchanged: return "unchanged";
    case Disposition::passed_through: return "passed through";
  }
  return "";
}

Json json_of(const InterfaceSize& size) { return {{"components", size.components}, {"locations", size.locations}}; }

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

Journal::Journal(const std::string& file) {
  if (file.empty()) return;
  if (const int error = file_.open(file); error != 0)
    std::fprintf(stderr, "varylink layer: %s cannot be written\n", file.c_str());
}

void Journal::instance(std::uint32_t api_version) {
  if (file_.is_open())
    append(text_of({{"instance", std::to_string(VK_API_VERSION_MAJOR(api_version)) + "." +
                                     std::to_string(VK_API_VERSION_MINOR(api_version))}}));
}

void Journal::pipeline(const Outcome& outcome) {
  if (!file_.is_open()) return;
  Json json = {{"pipeline", outcome.key}, {"stages", outcome.stages}, {"outcome", name_of(outcome.disposition)}};
  if (!outcome.reason.empty()) json["reason"] = outcome.reason;
  if (outcome.before.locations != 0) {
    json["before"] = json_of(outcome.before);
    json["after"] = json_of(outcome.after);
  }
  json["known"] = outcome.known;
  json["fromCache"] = outcome.from_cache;
  if (outcome.steps != 0) json["steps"] = outcome.steps;
  json["linkMs"] = outcome.link_ms;
  json["driverMs"] = outcome.driver_ms;
  if (!outcome.report.empty()) json["report"] = Json::parse(outcome.report, nullptr, false);
  append(text_of(json));
}

void Journal::linked_later(const std::string& key) {
  if (file_.is_open()) append(text_of({{"linkedLater", key}}));
}

void Journal::say(const std::string& sentence) {
  if (file_.is_open())
    append(text_of({{"message", sentence}}));
  else
    std::fprintf(stderr, "varylink layer: %s\n", sentence.c_str());
}

void Journal::append(const std::string& line) {
  const std::lock_guard lock(mutex_);
  (void)file_.append(line);  // a full disk takes the summary, not the program
}

}  // namespace varylink::layer
